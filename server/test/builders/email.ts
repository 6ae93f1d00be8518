import { createEmail } from '@okaeri/contract/emails/routes'
import type { Email } from '@okaeri/contract/emails/email'
import type { Endpoint } from '@okaeri/contract/endpoint'
import { GOOD_HTML } from '../fixtures.ts'
import type { TestMerchant } from '../harness.ts'

/** As a person would write it. */
type Given = Partial<typeof createEmail extends Endpoint<infer T> ? T['inBody'] : never>

/** Written and checked, with all that the law asks for. Where nothing is looked at but that there is one: `addEmail` of fixtures.ts. */
export const anEmail = async (merchant: TestMerchant, given: Given = {}): Promise<Email> =>
  (
    await merchant.call(createEmail, {
      body: { name: 'お礼', subject: 'ありがとうございます', content: GOOD_HTML, ...given },
    })
  ).email
