import { createVerify } from 'node:crypto'
import { request } from 'undici'
import { IntegrationError } from '../../kernel/errors.ts'

/** What Amazon SNS posts. */
export interface SnsMessage {
  Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation'
  MessageId: string
  TopicArn: string
  Message: string
  Timestamp: string
  SignatureVersion: '1' | '2'
  Signature: string
  SigningCertURL: string
  Subject?: string
  Token?: string
  SubscribeURL?: string
}

const TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']
const TIMEOUT_MS = 5_000
/** A certificate is 2 kB. */
const LARGEST_ANSWER_BYTES = 32 * 1024
/** Amazon changes it once in months. */
const MAX_KEPT = 10

/** Null for what is no message of SNS. */
export function readSnsMessage(text: string): SnsMessage | null {
  const message = parsed(text)
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return null
  const fields = message as Record<string, unknown>
  const needed = [
    'Type',
    'MessageId',
    'TopicArn',
    'Message',
    'Timestamp',
    'SignatureVersion',
    'Signature',
    'SigningCertURL',
  ]
  if (needed.some((name) => typeof fields[name] !== 'string')) return null
  if (['Subject', 'Token', 'SubscribeURL'].some((name) => !['string', 'undefined'].includes(typeof fields[name])))
    return null
  if (!TYPES.includes(fields['Type'] as string) || !['1', '2'].includes(fields['SignatureVersion'] as string))
    return null
  return fields as unknown as SnsMessage
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Only Amazon's own, of the topic's region: a sender who may name the certificate can sign anything. */
export function isOfAmazon(address: string, topicArn: string): boolean {
  const url = URL.parse(address)
  const region = topicArn.split(':')[3] ?? ''
  if (!url || !/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region)) return false
  const host = `sns.${region}.amazonaws.com`
  return (
    url.protocol === 'https:' &&
    url.host === (region.startsWith('cn-') ? `${host}.cn` : host) &&
    url.username === '' &&
    url.password === ''
  )
}

/** What is signed: these fields with their values, a line each. */
export function signedTextOf(message: SnsMessage): string {
  const names: (keyof SnsMessage)[] =
    message.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  return names
    .flatMap((name) => (message[name] === undefined ? [] : [name, message[name]]))
    .map((line) => `${line}\n`)
    .join('')
}

const certificates = new Map<string, string>()

/** Whether Amazon signed it. Throws {@link IntegrationError} where its certificate cannot be fetched. */
export async function isSignedByAmazon(message: SnsMessage): Promise<boolean> {
  const { SigningCertURL: address, TopicArn } = message
  if (!isOfAmazon(address, TopicArn) || !new URL(address).pathname.endsWith('.pem')) return false
  let certificate = certificates.get(address)
  if (!certificate) {
    certificate = await fetchText(address)
    if (certificates.size >= MAX_KEPT) certificates.clear()
    certificates.set(address, certificate)
  }
  try {
    return createVerify(message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
      .update(signedTextOf(message))
      .verify(certificate, message.Signature, 'base64')
  } catch {
    // No certificate came from there.
    certificates.delete(address)
    return false
  }
}

/** Says that the topic may send here. */
export async function confirmSubscription({ SubscribeURL: address, TopicArn }: SnsMessage): Promise<void> {
  if (address === undefined || !isOfAmazon(address, TopicArn))
    throw new IntegrationError('sns', false, 'the address to subscribe at is not of Amazon')
  await fetchText(address)
}

async function fetchText(address: string): Promise<string> {
  try {
    const { statusCode, body } = await request(address, {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS * 2),
    })
    let text = ''
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk
      if (text.length > LARGEST_ANSWER_BYTES) throw new Error('its answer is too long')
    }
    if (statusCode !== 200) throw new Error(`it answered ${statusCode}`)
    return text
  } catch (error) {
    throw new IntegrationError('sns', true, error instanceof Error ? error.message : String(error))
  }
}
