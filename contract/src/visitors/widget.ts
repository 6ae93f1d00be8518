import { z } from 'zod'
import { line } from '../fields.ts'

/** The parts of the script on a shop's pages, as their places in a theme are called: `data-okaeri="heart"`. */
export const widgetParts = ['heart', 'favorites-page', 'restock', 'birthday', 'consent', 'sign-up'] as const
export const WidgetPart = z.enum(widgetParts, 'not_allowed')
export type WidgetPart = z.output<typeof WidgetPart>

/** With the one that shows nothing: whether it is on, the settings of customers say (contract: StorefrontSettings). */
export const scriptParts = [...widgetParts, 'views'] as const
export type ScriptPart = (typeof scriptParts)[number]
/** Parts that stand where the theme has no place for them, if the merchant names one; the others need a place, or none. */
export const placeableParts = ['heart', 'restock', 'birthday', 'consent', 'sign-up'] as const

/** On which side of the element that the selector finds. */
export const placements = ['before', 'after', 'start', 'end'] as const
const MAX_SELECTOR = 200

export const WidgetPlace = z.strictObject({
  on: z.boolean('not_a_boolean'),
  /** A CSS selector for themes without a place; empty: only where the theme has one. */
  selector: line(0, MAX_SELECTOR),
  where: z.enum(placements, 'not_allowed'),
})
export type WidgetPlace = z.output<typeof WidgetPlace>

/**
 * Texts that merchants may say in their own words. A part asks for them by these names (widget/src/kit.ts). Those of restock and of the marketing
 * permission are settings of their features.
 */
export const widgetTexts = [
  'heart_add',
  'heart_remove',
  'favorites_title',
  'favorites_empty',
  'birthday_label',
  'birthday_save',
  'sign_up_label',
  'sign_up_button',
  'sign_up_done',
] as const
export type WidgetText = (typeof widgetTexts)[number]
const MAX_TEXT = 80
/** Empty in one language: the part's own words there. */
const OwnText = z.strictObject({ ja: line(0, MAX_TEXT), en: line(0, MAX_TEXT) })
export type OwnText = z.output<typeof OwnText>

/** Names of the colors, each a CSS variable of the script (`--okaeri-accent`). */
export const widgetColors = ['accent', 'on_accent', 'text', 'ground', 'line'] as const
/** Empty: the theme's, or ours where the theme says nothing. */
const Color = z.string('not_a_text').regex(/^(#[0-9a-f]{6})?$/i, 'invalid')

const each = <K extends string, V extends z.ZodType>(names: readonly K[], value: V) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, value])) as Record<K, V>)

export const WidgetSettings = z
  .strictObject({
    parts: each(widgetParts, WidgetPlace),
    texts: each(widgetTexts, OwnText),
    colors: each(widgetColors, Color),
  })
  .meta({ id: 'WidgetSettings' })
export type WidgetSettings = z.output<typeof WidgetSettings>

/** Only what is to change, so that a form undoes no other member's change. */
export const WidgetSettingsChange = z.strictObject({
  parts: each(widgetParts, WidgetPlace).partial().optional(),
  texts: each(widgetTexts, OwnText).partial().optional(),
  colors: each(widgetColors, Color).partial().optional(),
})
export type WidgetSettingsChange = z.output<typeof WidgetSettingsChange>

export const plainPlace = (): WidgetPlace => ({ on: true, selector: '', where: 'after' })

/** The settings of a merchant who never changed anything. */
export const plainWidgetSettings = (): WidgetSettings => ({
  parts: Object.fromEntries(widgetParts.map((part) => [part, plainPlace()])) as WidgetSettings['parts'],
  texts: Object.fromEntries(widgetTexts.map((name) => [name, { ja: '', en: '' }])) as WidgetSettings['texts'],
  colors: Object.fromEntries(widgetColors.map((name) => [name, ''])) as WidgetSettings['colors'],
})
