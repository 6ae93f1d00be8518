import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  placements,
  type ScriptPart,
  scriptParts,
  WidgetPart,
  widgetColors,
  WidgetSettings,
  WidgetSettingsChange,
} from './widget.ts'

const area = 'storefront'
/** An address of the shop's pages, as `location.origin` says it. */
const Origin = z.string().max(300, 'too_long').default('')

/** What one part of the script needs to know to be there. */
const PartOnPage = z.object({
  on: z.boolean(),
  /** Where it goes in a theme without a place for it; null: only where the theme has a place. */
  place: z.object({ selector: z.string(), where: z.enum(placements) }).nullable(),
})

export const getLoader = endpoint('GET', '/assets/js/{product}.js', {
  area,
  summary:
    'The script of a shop’s pages (`okaeri.js`): it looks what is on, and loads only the parts that have a place',
  access: 'public',
  replyKind: 'file',
  mediaTypes: ['text/javascript'],
  params: z.object({ product: z.string().max(100) }),
})

export const getWidgetPart = endpoint('GET', '/assets/js/parts/{version}/{name}', {
  area,
  summary: 'A part of the script (`heart.js`), as a module; kept by browsers for good under its version',
  access: 'public',
  replyKind: 'file',
  mediaTypes: ['text/javascript'],
  params: z.object({ version: z.string().max(100), name: z.string().max(100) }),
})

export const FrontendStatus = z
  .object({
    /** False for a shop that is not connected: then nothing is shown. */
    on: z.boolean(),
    parts: z.object(
      Object.fromEntries(scriptParts.map((part) => [part, PartOnPage])) as Record<ScriptPart, typeof PartOnPage>,
    ),
    /** Texts of the merchant's own, by part and name; what is not here, the part says in its own words. */
    texts: z.record(z.string(), z.object({ ja: z.string(), en: z.string() })),
    /** Colors of the merchant's own; what is not here is the theme's. */
    colors: z.partialRecord(z.enum(widgetColors), z.string()),
    /** What features tell their parts, by feature. */
    facts: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'FrontendStatus' })
export type FrontendStatus = z.output<typeof FrontendStatus>

export const getFrontendStatus = endpoint('GET', '/frontend/status', {
  area,
  summary: 'What is on at a shop’s pages: parts, their places, texts and colors; the same answer for everyone, cached',
  access: 'public',
  query: z.looseObject({
    /** The store’s permanent domain: `some-shop.myshopify.com`. */
    shop: z.string('required').min(1, 'required').max(200, 'too_long'),
  }),
  reply: z.object({ status: FrontendStatus }),
})

export const connectVisitor = endpoint('GET', '/shopify/proxy/connect', {
  area: 'store',
  summary:
    'A page of a shop asks who is on it; through the app proxy (signed query): answers a page token, good for half an hour at this origin alone, which /frontend/convert_token/ takes',
  access: 'public',
  query: z.looseObject({ origin: Origin }),
  reply: z.object({
    connection: z.object({
      page_token: z.string(),
      /** In seconds. */
      expires_in: z.int(),
      /** Whether a customer is signed in at the store. */
      is_signed_in: z.boolean(),
    }),
  }),
})

const VisitorToken = z
  .object({
    /** For `Authorization: Bearer` of `/frontend/*`, at the origin it was made for. */
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    /** In seconds. */
    expires_in: z.int(),
    is_signed_in: z.boolean(),
  })
  .meta({ id: 'VisitorToken' })

export const getVisitorToken = endpoint('GET', '/shopify/proxy/token', {
  area: 'store',
  summary:
    'A short token for the customer who is signed in at the store; through the app proxy (signed query). A visitor who is not signed in gets theirs from /frontend/convert_token/',
  access: 'public',
  query: z.looseObject({ origin: Origin }),
  reply: z.object({ token: VisitorToken }),
})

export const convertToken = endpoint('POST', '/frontend/convert_token/', {
  area,
  summary:
    'Trade a page token (bearer) for a short token. With a guest’s id the guest is its holder, or, where a customer is signed in, becomes that customer with all they left',
  access: 'connected',
  body: z.strictObject({
    /** Random, made and kept by the browser: 22 to 64 letters of base64url. It is not kept here; what a guest leaves has an id that follows from it. */
    guest_id: z
      .string('not_a_text')
      .regex(/^[\w-]{22,64}$/, 'invalid')
      .optional(),
  }),
  bodyLimitBytes: 4096,
  reply: z.object({ token: VisitorToken }),
})

export const tradeSessionToken = endpoint('POST', '/frontend/extension/token', {
  area,
  summary:
    'Our extension on the thank-you, order status and account pages trades the store platform’s session token (bearer, good once) for a short token, for /frontend/extension/* alone; without a signed-in customer there is none, and nothing to show',
  access: 'public',
  reply: z.object({
    extension: z.object({
      /** For `Authorization: Bearer`, at the origin that asked; null: no customer is signed in. */
      token: z
        .object({
          access_token: z.string(),
          token_type: z.literal('Bearer'),
          /** In seconds. */
          expires_in: z.int(),
        })
        .nullable(),
      /** Which of its parts the merchant has on (Settings → Widget). */
      parts: z.object({ birthday: z.boolean(), consent: z.boolean() }),
      /** Texts of the merchant’s own, by name; what is not here, the extension says in its own words. */
      texts: z.record(z.string(), z.object({ ja: z.string(), en: z.string() })),
    }),
  }),
})

/** What goes into the theme. */
const WidgetInstall = z.object({
  /** The script tag for a theme without blocks; null while no store is connected. */
  script_tag: z.string().nullable(),
  /** Places for the parts, for such a theme; null as above. */
  places: z.string().nullable(),
  /** Rules for its style sheet, by which the places keep their size; null as above. */
  styles: z.string().nullable(),
  /** Where the page with a visitor's favorites is, for the theme's menu; null as above. */
  favorites_page_url: z.string().nullable(),
  /** Where the theme's editor is, with the app embeds open; null while no store is connected. */
  theme_editor_url: z.string().nullable(),
  /** Where the editor of the checkout and account pages is, at the thank-you page; null as above. */
  checkout_editor_url: z.string().nullable(),
})
export type WidgetInstall = z.output<typeof WidgetInstall>

/** What a merchant decides of the script, and what they need to put it into their theme. */
const WidgetSettingsReply = z.object({
  widgetSettings: WidgetSettings,
  /** The parts this version of the script has. */
  built: z.array(WidgetPart),
  install: WidgetInstall,
})

export const getWidgetSettings = endpoint('GET', '/user/me/widget_settings', {
  area: 'settings',
  summary: 'Which parts the shop’s pages show, where, in which words and colors, and how the script gets there',
  access: 'member',
  reply: WidgetSettingsReply,
})

export const changeWidgetSettings = endpoint('PUT', '/user/me/widget_settings', {
  area: 'settings',
  summary: 'Change what is given of it; on the shop’s pages within two minutes',
  access: 'marketer',
  body: z.strictObject({ widgetSettings: WidgetSettingsChange }),
  reply: WidgetSettingsReply,
})
