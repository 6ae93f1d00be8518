import { z } from 'zod'
import { EmailAddress, line, nameLine } from '../fields.ts'
import { Locale, locales } from '../locale.ts'
import { Money } from '../money.ts'
import { Design } from './design.ts'

/** Spec §5 and §9: warned above 90 kB because mail programs clip above 102 kB; measured on the final bytes of the HTML part. */
export const SIZE_WARNING_BYTES = 90 * 1024
export const SIZE_CLIPPING_BYTES = 102 * 1024
/** More than this is refused: no mailbox shows it and it would have to be kept for each version. */
export const MAX_HTML_BYTES = 1024 * 1024

/** Half a surrogate pair is no character: stored, it would come back as another. */
const whole = (value: string): boolean => value.isWellFormed()

export const EmailName = nameLine(100)
/** RFC 5322 allows 998 octets a line; mail programs show about 70 characters. */
export const EmailSubject = line(1, 200).refine(whole, 'invalid')

export const EmailFields = {
  name: EmailName,
  subject: EmailSubject,
  /** Shown after the subject in a mailbox's list. */
  preheader: line(0, 200).refine(whole, 'invalid'),
  /** Null: the sender address of the settings. */
  from_email: EmailAddress.nullable(),
  from_name: line(0, 100).refine(whole, 'invalid').nullable(),
  /** Kept exactly as typed. */
  content: z
    .string('not_a_text')
    .refine((html) => new TextEncoder().encode(html).length <= MAX_HTML_BYTES, 'too_long')
    .refine((html) => !html.includes('\0'), 'control_characters')
    .refine(whole, 'invalid'),
} as const

/** More is no text that people read. */
export const MAX_PLAIN_TEXT_BYTES = 100 * 1024
/** The plain-text part as it was written, with tags; null: it is made from the content. */
export const PlainText = z
  .string('not_a_text')
  .refine((text) => new TextEncoder().encode(text).length <= MAX_PLAIN_TEXT_BYTES, 'too_long')
  .refine((text) => !text.includes('\0'), 'control_characters')
  .refine(whole, 'invalid')
  .nullable()

/** What an email says in one more language. Either content or a design it is made from. */
export const EmailVariantFields = z.strictObject({
  language: Locale,
  subject: EmailSubject,
  preheader: EmailFields.preheader.default(''),
  content: EmailFields.content.optional(),
  design: Design.nullable().default(null),
  plain_text: PlainText.default(null),
  /** The plain text was looked at and fits what the email says now. */
  plain_text_fits: z.boolean('not_a_boolean').optional(),
})
export type EmailVariantFields = z.output<typeof EmailVariantFields>
/** The email in other languages, each at most once. */
export const EmailVariants = z
  .array(EmailVariantFields)
  .max(locales.length, 'too_many')
  .refine((variants) => new Set(variants.map(({ language }) => language)).size === variants.length, 'taken')

export const EmailVariant = z
  .object({
    language: Locale,
    subject: z.string(),
    preheader: z.string(),
    content: z.string(),
    design: Design.nullable(),
    plain_text: z.string().nullable(),
    plain_text_is_behind: z.boolean(),
    size_bytes: z.int(),
  })
  .meta({ id: 'EmailVariant' })
export type EmailVariant = z.output<typeof EmailVariant>

export const Email = z
  .object({
    id: z.uuid(),
    name: z.string(),
    subject: z.string(),
    preheader: z.string(),
    from_email: z.string().nullable(),
    from_name: z.string().nullable(),
    /** `VISUAL`: made of blocks. `HTML`: written as code. */
    type: z.enum(['HTML', 'VISUAL']),
    content: z.string(),
    /** The blocks the content was made from; null where it was written. */
    design: Design.nullable(),
    /** The plain-text part as it was written; null: it is made from the content. */
    plain_text: z.string().nullable(),
    /** The content was changed since the plain text was written. */
    plain_text_is_behind: z.boolean(),
    /** The email in other languages. Customers whose language is none of them get the email itself, its base. */
    variants: z.array(EmailVariant),
    languages: z.array(Locale),
    /** Size of the final HTML part, tracking included, in bytes. */
    size_bytes: z.int(),
    sent_count: z.int(),
    open_rate: z.number(),
    click_rate: z.number(),
    revenue: Money,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Email' })
export type Email = z.output<typeof Email>
/** In lists the content stays away. */
export const EmailSummary = Email.omit({
  content: true,
  design: true,
  plain_text: true,
  plain_text_is_behind: true,
  variants: true,
}).meta({ id: 'EmailSummary' })
export type EmailSummary = z.output<typeof EmailSummary>

/** What the pre-flight check can find (domain.md §4; `blocks` keeps a campaign from being reserved, `warns` does not). */
export const findings = {
  no_unsubscribe_link: 'blocks',
  no_sender_name: 'blocks',
  no_postal_address: 'blocks',
  no_contact: 'blocks',
  no_subject: 'blocks',
  no_content: 'blocks',
  /** A plain text that a member wrote must contain what the law asks for too. */
  text_no_unsubscribe_link: 'blocks',
  text_no_sender_name: 'blocks',
  text_no_postal_address: 'blocks',
  text_no_contact: 'blocks',
  text_empty: 'blocks',
  /** The email was changed since. */
  text_behind: 'warns',
  /** A template's own sentence still stands where the merchant's should; the detail is the sentence. */
  placeholder_left: 'blocks',
  template_broken: 'blocks',
  /** A filter or a range that multiplies work. */
  template_not_offered: 'blocks',
  /** Filling it in takes or grows more than one mail may. */
  template_too_costly: 'blocks',
  sender_missing: 'blocks',
  /** Its owner has not agreed to it yet; the detail is the address. */
  sender_unconfirmed: 'blocks',
  /** Nothing is sent before the address of the account is confirmed. */
  account_unconfirmed: 'blocks',
  /** For LINE messages. */
  line_not_connected: 'blocks',
  /** For LINE messages: a picture or link of the template is still there; sent only after a member confirms it. */
  line_sample_left: 'warns',
  /** Gmail cuts such a mail off; sent only where a person says yes to that ({@link needsYes}). */
  size_clipped: 'warns',
  size_near_clipping: 'warns',
  sender_domain_public: 'warns',
  /** A tag only scenarios know, in the mail of a campaign. */
  needs_scenario: 'blocks',
  /** It shows a code of its recipient's own, and the campaign does not say what that is worth. */
  coupon_not_set: 'blocks',
  /** No store is connected that could make the codes. */
  coupon_needs_store: 'blocks',
  /** The codes would be over before all of it is sent; the detail is their last day. */
  coupon_ends_early: 'blocks',
  /** The campaign makes codes that no message shows: none is made. */
  coupon_not_shown: 'warns',
  /** The store does not sell it now; the detail is the tag. */
  product_gone: 'blocks',
  segment_gone: 'blocks',
  /** More of a kind than one mail may have; the detail is the first tag beyond. */
  too_many_blocks: 'blocks',
  /** Its members were never found yet. */
  segment_not_ready: 'blocks',
  /** The last day of its code is over when it would be sent; the detail is the day. */
  coupon_expired: 'blocks',
  /** A rule of the store's finds no product now; the detail is the tag. */
  no_products_chosen: 'warns',
  unknown_tag: 'warns',
  links_to_nowhere: 'warns',
  insecure_link: 'warns',
  script_removed: 'warns',
  image_without_alt: 'warns',
  /** A customer's field without a value for some of those who would get it; the detail is the tag, `people` how many. */
  empty_for_some: 'warns',
  past_date: 'warns',
  /** Signs that devices show differently or not at all. */
  unreadable_characters: 'warns',
  subject_in_capitals: 'warns',
  too_many_exclamations: 'warns',
  /** Pictures with hardly any text beside them. */
  mostly_picture: 'warns',
  picture_missing: 'warns',
  low_contrast: 'warns',
  /** Dark text on no background of its own. */
  dark_mode_contrast: 'warns',
  /** There is no such page or host (any more); the detail is the address, as for the next ones. */
  link_dead: 'warns',
  /** To where only the merchant gets: this machine, its network, the admin of the store, a preview. */
  link_private: 'warns',
  link_shortened: 'warns',
  /** A draft or an archived product. */
  link_to_hidden_product: 'warns',
  picture_dead: 'warns',
  /** `bytes` says how much. */
  picture_heavy: 'warns',
  /** All of them together. */
  pictures_heavy: 'warns',
  /** The store has no such code; the detail is the code. */
  coupon_unknown: 'warns',
  /** Before the mail is sent. */
  coupon_ended: 'warns',
  /** It begins after the mail is sent. */
  coupon_not_begun: 'warns',
  /** Fewer people can use it than get the mail; `people` says how many. */
  coupon_too_few: 'warns',
  /** Its domain is not proved: receivers cannot tell the mail from a forged one. */
  sender_domain_unverified: 'warns',
  /** The domain publishes no DMARC record, which Gmail and Yahoo ask of bulk senders. */
  sender_dmarc_missing: 'warns',
} as const satisfies Record<string, 'blocks' | 'warns'>
export type FindingCode = keyof typeof findings
/** Warnings without a person's yes to which a campaign is not reserved. */
export const needsYes: readonly FindingCode[] = ['size_clipped', 'line_sample_left']
export const Finding = z
  .object({
    code: z.enum(Object.keys(findings) as [FindingCode, ...FindingCode[]]),
    level: z.enum(['blocks', 'warns']),
    /** The tag, link or value it is about. */
    detail: z.string().nullable(),
    /** The line of the content as typed, from 1; absent where it has no one place there. */
    line: z.int().optional(),
    /** The block of the design it is in. */
    block: z.string().optional(),
    /** Of `empty_for_some` and `coupon_too_few`. */
    people: z.int().optional(),
    /** Of `picture_heavy` and `pictures_heavy`. */
    bytes: z.int().optional(),
    /** For an email with variants, the language it is in. Absent where it is not about the text, as with the sender. */
    language: Locale.optional(),
  })
  .meta({ id: 'Finding' })
export type Finding = z.output<typeof Finding>

export const ContentTag = z
  .object({
    /** As written into the mail: `{{ customer.last_name }}`. */
    tag: z.string(),
    /**
     * `scenario`: known to the messages of scenarios only. `links`: to mails only. `components`: to the content of mails and of other components
     * only. `line`: to LINE messages only.
     */
    category: z.enum(['customer', 'metafields', 'store', 'line', 'scenario', 'links', 'components']),
    /** What its value is, and so where it may stand: the address of a page can be a link, that of a picture a picture. */
    value: z.enum(['text', 'link', 'picture']),
    name_ja: z.string(),
    name_en: z.string(),
    example_ja: z.string(),
    example_en: z.string(),
  })
  .meta({ id: 'ContentTag' })
export type ContentTag = z.output<typeof ContentTag>

export const RenderedEmail = z
  .object({
    subject: z.string(),
    preheader: z.string(),
    from: z.string(),
    to: z.string(),
    html: z.string(),
    text: z.string(),
    size_bytes: z.int(),
    /** The host that links and pictures lead over. `is_own`: the merchant's. */
    links_by: z.object({ host: z.string(), is_own: z.boolean() }),
    findings: z.array(Finding),
    /** For an email with variants and a customer: which variant this customer gets, and why. */
    customer_variant: z
      .object({
        /** Null: the base. */
        language: Locale.nullable(),
        /** `language`: it is the customer's. `no_variant`: theirs is none of these, nor the merchant's. `no_language`: theirs is not known. */
        why: z.enum(['language', 'no_variant', 'no_language']),
        customer_language: z.string().nullable(),
      })
      .optional(),
  })
  .meta({ id: 'RenderedEmail' })
export type RenderedEmail = z.output<typeof RenderedEmail>
