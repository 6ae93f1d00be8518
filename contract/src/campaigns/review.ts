import { z } from 'zod'
import { Finding, RenderedEmail } from '../emails/email.ts'
import { UnsavedText } from '../emails/version.ts'
import { AbPeople } from './ab-test.ts'
import { Locale } from '../locale.ts'
import { WaitReason, CampaignChannel } from './campaign.ts'

const LeftOut = z.object({
  no_consent: z.int(),
  paused: z.int(),
  no_address: z.int(),
  suppressed: z.int(),
  not_linked: z.int(),
  not_a_friend: z.int(),
  blocked: z.int(),
  duplicate_address: z.int(),
  /** As things are now: what is sent to them until it starts counts too. */
  frequency_cap: z.int(),
})

/** The step before a reservation: exactly who would get it, who not and why. */
export const CampaignReview = z
  .object({
    /** Customers chosen by the segment. */
    audience: z.int(),
    /** Of them, people who would get it now; by both channels, the messages they would get. */
    recipients: z.int(),
    left_out: LeftOut,
    /** The same for each of its channels. */
    parts: z.array(z.object({ channel: CampaignChannel, audience: z.int(), recipients: z.int(), left_out: LeftOut })),
    /**
     * The LINE messages of the month it would go out in, where it needs any: null where none is needed, it starts in another month, or LINE does
     * not say. `missing`: for so many recipients there is none left.
     */
    line_quota: z.object({ limit: z.int().nullable(), left: z.int().nullable(), missing: z.int() }).nullable(),
    /** About so many get it first, and the rest after so long, unless too much goes wrong; null: all at once. */
    canary: z.object({ people: z.int(), minutes: z.int() }).nullable(),
    /** The sender's domain is being warmed up, and not all of it goes on one day. `days`: today being the first. */
    warm_up: z.object({ domain: z.string(), today: z.int(), days: z.int() }).nullable(),
    /** How many people are in group A, in group B, and wait for the better one; null without a test. */
    ab_test: z
      .object({
        people: AbPeople,
        /** So few that the difference is likely to be chance. */
        is_small: z.boolean(),
        /** The rest is held back too where too much goes wrong with the groups, as with the first few of a large campaign. */
        is_watched: z.boolean(),
        sample: RenderedEmail.nullable(),
        /** Of B, beside those of A. */
        findings: z.array(Finding),
      })
      .nullable(),
    /** The codes that would be made in the store, one for each recipient, before anything is sent; null: none. */
    coupon: z
      .object({
        /** 0 in test mode, where a sample stands in the mails. */
        codes: z.int(),
        /** The end of their last day, were it confirmed now. */
        expires_at: z.iso.datetime(),
        /** About so long it takes to make them. */
        seconds: z.int(),
        /** As the message below shows it. No order takes it. */
        sample_code: z.string(),
      })
      .nullable(),
    /** For an email with variants, how many recipients get each language; null: the base. Empty without variants. */
    languages: z.array(z.object({ language: Locale.nullable(), people: z.int() })),
    /** With "send to all": how many without consent are among the recipients. */
    without_consent: z.int(),
    test_mode: z.boolean(),
    /** Test mode sends everything to these: mail addresses, and names of LINE friends. */
    test_recipients: z.object({ email: z.array(z.string()), line: z.array(z.string()) }),
    /** In test mode at most this many mails go out. */
    test_cap: z.int(),
    /** Identifies what would be sent now: content, sender and tracking. Null while something is missing. */
    fingerprint: z.string().nullable(),
    sample: RenderedEmail.nullable(),
    sample_customer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    findings: z.array(Finding),
    /** What the caller typed into the mail and did not save: it is not sent. */
    unsaved: z.array(UnsavedText),
    /** When it would start, and what it would have to wait for. */
    starts_at: z.iso.datetime(),
    wait_reason: WaitReason.nullable(),
    waits_until: z.iso.datetime().nullable(),
    missing: z.array(
      z.enum([
        'name',
        'email',
        'line_message',
        'segment',
        'scheduled_at',
        'ab_subject',
        'ab_email',
        'ab_same',
        'ab_languages',
        'ab_tracking',
        'ab_small',
      ]),
    ),
    /** False until what the audience is read from was copied from the connected store to the end, and while it is copied again. */
    store_copied: z.boolean(),
    can_reserve: z.boolean(),
  })
  .meta({ id: 'CampaignReview' })

export type CampaignReview = z.output<typeof CampaignReview>
