import type { TrackingParameters } from '@okaeri/contract/campaigns/campaign'
import type { RenderedEmail } from '@okaeri/contract/emails/email'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { fillMarkers, findStorefrontUrl, sharedData } from '../deliveries/index.ts'
import {
  compileTemplate,
  customerData,
  exampleCustomer,
  type MessageData,
  oneLine,
  preflight,
  prepareContent,
  sizeOfRendered,
  TemplateError,
} from '../emails/index.ts'
import { getMerchant } from '../merchants/index.ts'
import type { EmailContentRow, SampleRow } from './queries.ts'

/** Links of a sample lead to their targets, and nothing it does is counted. */
const SAMPLE_TOKEN = 'preview'

/** The mail of a campaign as one customer (or an example one) will see it, with everything that stands in the way of sending it. */
export async function renderSampleMail(
  scope: MerchantScope,
  email: EmailContentRow,
  options: { customer: SampleRow | null; tracking: { enabled: boolean; parameters: TrackingParameters } },
): Promise<RenderedEmail> {
  const merchant = await getMerchant(scope)
  const language = merchant.language === 'en' ? 'en' : 'ja'
  const { publicUrl } = scope.context.settings
  const from = {
    from_name: email.from_name ?? merchant.sender_name,
    from_email: email.from_email ?? merchant.sender_email,
  }
  const prepared = prepareContent({
    html: email.content,
    subject: email.subject,
    preheader: email.preheader,
    trackingEnabled: options.tracking.enabled,
    trackingParameters: options.tracking.parameters,
    contentId: email.id,
  })
  const data: MessageData = {
    ...sharedData(merchant, from, await findStorefrontUrl(scope)),
    customer: customerData(options.customer ?? exampleCustomer[language], language),
    unsubscribe_url: `${publicUrl}/pages/unsubscribe/confirm`,
  }
  const rendered = (source: string, escape: 'html' | 'text'): string => {
    try {
      return compileTemplate(source, escape).render(data)
    } catch (error) {
      // Reported by the pre-flight check, with its line.
      if (error instanceof TemplateError) return ''
      throw error
    }
  }
  const html = rendered(prepared.html, 'html')
  const sizeBytes = sizeOfRendered(html, publicUrl)
  const direct = (text: string): string =>
    text.replace(/\u0001L(\d+)\u0001/g, (_, position: string) => prepared.links[Number(position)] ?? '')
  return {
    subject: oneLine(rendered(email.subject, 'text')),
    preheader: oneLine(rendered(email.preheader, 'text')),
    from: `${from.from_name} <${from.from_email}>`,
    to: data.customer.email,
    html: fillMarkers(direct(html), publicUrl, SAMPLE_TOKEN),
    text: fillMarkers(direct(rendered(prepared.text, 'text')), publicUrl, SAMPLE_TOKEN),
    size_bytes: sizeBytes,
    findings: preflight({ prepared, subject: email.subject, data, sizeBytes }),
  }
}
