import { expect, test } from 'vitest'
import type { DnsAnswer } from '../../integrations/dns/index.ts'
import { expectedSpf, judgeDkim, judgeDmarc, judgeMx, judgeOwnership, judgeSpf } from './record-judgment.ts'

const found = (...values: string[]): DnsAnswer => ({ kind: 'found', values })
const none: DnsAnswer = { kind: 'none' }
const late: DnsAnswer = { kind: 'failed', why: 'timeout' }
const said = ({ state, note }: { state: string; note: string | null }) => (note ? `${state} ${note}` : state)

const KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAabcdef'

test.each([
  [none, 'missing'],
  [late, 'unanswered timeout'],
  [found(`v=DKIM1; k=rsa; p=${KEY}`), 'found'],
  [found(`p=${KEY}`), 'found'],
  [found(`v=DKIM1;k=rsa;p=${KEY.slice(0, 20)} ${KEY.slice(20)};`), 'found'],
  [found(`v=DKIM1; h=sha1:sha256; s=*; p=${KEY}`), 'found'],
  [found(`v=DKIM1; k=ed25519; p=${KEY}`), 'wrong other_value'],
  [found(`v=DKIM1; h=sha1; p=${KEY}`), 'wrong other_value'],
  [found(`v=DKIM1; k=rsa; p=${KEY.slice(0, 30)}`), 'wrong cut_off'],
  [found('v=DKIM1; k=rsa; p='), 'wrong revoked'],
  [found('v=DKIM1; k=rsa; p=AAAA'), 'wrong other_value'],
  [found('hello'), 'wrong other_value'],
  [found(`p=${KEY}`, `p=${KEY}`), 'wrong several'],
  [found('x'.repeat(4096)), 'wrong other_value'],
])('a DKIM record %j is %s', (answer, expected) => {
  expect(said(judgeDkim(answer, KEY))).toBe(expected)
})

test('the proof is found beside that of another merchant, and no other one will do', () => {
  const mine = 'okaeri-verification=abc'
  expect(said(judgeOwnership(found('okaeri-verification=other', mine, 'v=spf1 -all'), mine))).toBe('found')
  expect(said(judgeOwnership(found('okaeri-verification=other'), mine))).toBe('wrong other_value')
  expect(said(judgeOwnership(found('something else'), mine))).toBe('missing')
})

const MECHANISM = 'include:spf.mail.example'
test.each([
  [none, 'missing', `v=spf1 ${MECHANISM} ~all`],
  [found('v=spf1 include:spf.mail.example -all'), 'found', 'v=spf1 include:spf.mail.example -all'],
  [found('V=SPF1 a mx Include:SPF.mail.example ~all'), 'found', 'V=SPF1 a mx Include:SPF.mail.example ~all'],
  [
    found('v=spf1 include:_spf.google.com -all'),
    'wrong not_included',
    `v=spf1 ${MECHANISM} include:_spf.google.com -all`,
  ],
  [found('v=spf1 include:spf.mail.example +all'), 'wrong allows_all', 'v=spf1 include:spf.mail.example ~all'],
  [found('v=spf1 a -all', 'v=spf1 mx -all'), 'wrong several', `v=spf1 ${MECHANISM} a -all`],
  [found('v=spf10 a'), 'missing', `v=spf1 ${MECHANISM} ~all`],
])('an SPF record %j is %s, and should be %s', (answer, expected, shouldBe) => {
  const verdict = judgeSpf(answer, MECHANISM)
  expect(said(verdict)).toBe(expected)
  expect(expectedSpf(MECHANISM, verdict.found)).toBe(shouldBe)
})

test('where the operator named no mail server, any single SPF record is right and none is suggested', () => {
  expect(said(judgeSpf(found('v=spf1 -all'), null))).toBe('found')
  expect(expectedSpf(null, [])).toBeNull()
})

test.each([
  [found('v=DMARC1; p=none'), false, 'found policy_none'],
  [found('v=DMARC1;p=Reject;adkim=s;aspf=s'), false, 'found policy_reject'],
  [found('v=DMARC1; p=reject; sp=quarantine'), true, 'found policy_quarantine'],
  [found('v=DMARC1; p=reject'), true, 'found policy_reject'],
  [found('v=DMARC1; rua=mailto:a@b.example'), false, 'wrong no_policy'],
  [found('v=DMARC1; p=none', 'v=DMARC1; p=reject'), false, 'wrong several'],
  [found('v=DMARC2; p=none'), false, 'missing'],
])('a DMARC record %j, inherited %s, is %s', (answer, inherited, expected) => {
  expect(said(judgeDmarc(answer, { inherited }))).toBe(expected)
})

test('a domain that says it takes no mail cannot be answered to', () => {
  expect(said(judgeMx(found('')))).toBe('wrong no_mail')
  expect(said(judgeMx(none))).toBe('missing')
  expect(judgeMx(found('mx1.example', 'mx2.example'))).toMatchObject({
    state: 'found',
    found: ['mx1.example', 'mx2.example'],
  })
})
