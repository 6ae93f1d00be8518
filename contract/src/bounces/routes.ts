import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { CustomerBounces } from './bounce.ts'

const area = 'consent'

export const listCustomerBounces = endpoint('GET', '/customers/{id}/bounces', {
  area,
  summary: 'Why a customer’s address gets no email, and what came back from it, with proof',
  access: 'member',
  params: IdParams,
  reply: CustomerBounces,
})

/** Notices name a mail each; SendGrid sends up to a thousand at once. */
const LARGEST_NOTICE_BYTES = 3 * 1024 * 1024
const Stored = z.object({ stored: z.int() })

export const receiveSesNotice = endpoint('POST', '/webhooks/ses', {
  area,
  summary: 'For Amazon SNS: bounces and complaints of Amazon SES',
  access: 'public',
  bodyKind: 'raw',
  reply: Stored,
  bodyLimitBytes: LARGEST_NOTICE_BYTES,
})

const MerchantParams = z.object({ merchantId: z.uuid() })

export const receiveSesNoticeOfMerchant = endpoint('POST', '/webhooks/ses/{merchantId}', {
  area,
  summary: 'For Amazon SNS: bounces and complaints of a merchant’s own account at Amazon SES',
  access: 'public',
  params: MerchantParams,
  bodyKind: 'raw',
  reply: Stored,
  bodyLimitBytes: LARGEST_NOTICE_BYTES,
})

export const receiveSendgridEventsOfMerchant = endpoint('POST', '/webhooks/sendgrid/{merchantId}', {
  area,
  summary: 'For SendGrid: bounces and spam reports of a merchant’s own account',
  access: 'public',
  params: MerchantParams,
  bodyKind: 'raw',
  reply: Stored,
  bodyLimitBytes: LARGEST_NOTICE_BYTES,
})

export const receiveSendgridEvents = endpoint('POST', '/webhooks/sendgrid', {
  area,
  summary: 'For SendGrid: bounces and spam reports of its event webhook',
  access: 'public',
  bodyKind: 'raw',
  reply: Stored,
  bodyLimitBytes: LARGEST_NOTICE_BYTES,
})
