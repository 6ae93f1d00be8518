import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  brokenDetail,
  examineTexts,
  exampleData,
  getKnownCustomer,
  type MessageData,
  TemplateError,
} from '../email-rendering/index.ts'
import { chatLinks } from '../line-login/index.ts'
import { getMerchant, senderOf } from '../merchants/index.ts'

/** As long as a real one, but links no account. */
export const exampleOfLine = async (scope: MerchantScope): Promise<NonNullable<MessageData['line']>> => ({
  link_url: (await chatLinks(scope))(`U${'0'.repeat(32)}`),
})

/** Texts with tags as the customer asked for gets them, or as someone invented does; a broken one is no error here. */
export async function previewLineTexts(
  scope: MerchantScope,
  { texts, customer_id }: { texts: string[]; customer_id: string | null },
): Promise<{ text: string | null; problem: string | null }[]> {
  const merchant = await getMerchant(scope)
  const customer = customer_id ? await getKnownCustomer(scope, customer_id) : null
  const sender = senderOf({ from_email: null, from_name: null }, merchant)
  const data = {
    ...(await exampleData(scope, { templates: texts, customer, sender })),
    line: await exampleOfLine(scope),
  }
  try {
    const filled = texts.length === 0 ? [] : await examineTexts(scope, { sources: texts, data })
    return filled.map((one) =>
      'text' in one ? { text: one.text, problem: null } : { text: null, problem: brokenDetail(one.failure) },
    )
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return texts.map(() => ({ text: null, problem: error.message }))
  }
}
