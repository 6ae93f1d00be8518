import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { BROWSER } from '../../../test/sent-mail.ts'
import { networkOf } from './network.ts'
import { type Hit, judge } from './verdict.ts'

const SENT = new Date('2026-04-01T00:00:00Z')
const after = (ms: number): Date => new Date(SENT.getTime() + ms)
let count = 0
const hit = (kind: Hit['kind'], ms: number, more: Partial<Hit> = {}): Hit => ({
  id: String((count += 1)),
  kind,
  at: after(ms),
  linkPosition: kind === 'click' ? 0 : null,
  userAgent: BROWSER,
  ...more,
})
const evidence = (hits: Hit[], sentAt: Date | null = SENT): string[] => {
  const verdicts = judge(hits, sentAt)
  return hits.map(({ id }) => verdicts.get(id)?.evidence ?? 'missing')
}

describe('the agent shows who opened or clicked', () => {
  const late = 600_000
  test.each([
    ['a phone', BROWSER, 'person'],
    [
      'Gmail showing the mail to a person',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'person',
    ],
    [
      'Yahoo showing the mail to a person',
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
      'person',
    ],
    ['Outlook', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)', 'person'],
    ['an old Japanese phone', 'DoCoMo/2.0 N905i(c100;TB;W24H16)', 'person'],
    ['the browser inside LINE', `${BROWSER} Line/14.19.0`, 'person'],
    ['Apple’s privacy prefetch', 'Mozilla/5.0', 'privacy_prefetch'],
    ['a link pasted into LINE', 'facebookexternalhit/1.1;line-poker/1.0', 'link_preview'],
    ['a link pasted into Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'link_preview'],
    ['Microsoft’s gateway', 'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1) SafeLinks/1.0', 'mail_scanner'],
    ['Barracuda', 'BarracudaCentral', 'mail_scanner'],
    ['a script', 'python-requests/2.31', 'script'],
    ['a search robot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'robot'],
    ['nobody in particular', '', 'no_agent'],
  ])('%s', (_who, userAgent, expected) => {
    expect(evidence([hit('open', late, { userAgent })])).toEqual([expected])
    expect(evidence([hit('click', late, { userAgent })])).toEqual([expected])
  })

  const known = path.resolve(import.meta.dirname, '../../../../../shared/reference/email/prefetch_agents.json')
  test.skipIf(!fs.existsSync(known))(
    'every machine in the reference list is known, every display proxy is a person',
    () => {
      const { agents } = JSON.parse(fs.readFileSync(known, 'utf8')) as {
        agents: { ua?: string; ua_contains?: string; ua_regex?: string; kind: string }[]
      }
      for (const { ua, ua_contains, ua_regex, kind } of agents) {
        const userAgent = ua ?? ua_contains ?? (ua_regex ? 'curl/8.5' : null)
        if (userAgent === null) continue
        const person = kind.startsWith('display proxy') || kind.startsWith('mail client')
        expect([userAgent, evidence([hit('open', late, { userAgent })])[0] === 'person']).toEqual([userAgent, person])
      }
    },
  )
})

describe('the time shows who opened or clicked', () => {
  test('a picture fetched within two seconds of delivery was fetched by a machine, later by a person', () => {
    expect(evidence([hit('open', 1999)])).toEqual(['opened_too_fast'])
    expect(evidence([hit('open', 2000)])).toEqual(['person'])
  })
  test('a click within five seconds is a machine’s unless a person opened the mail before it', () => {
    expect(evidence([hit('click', 4999)])).toEqual(['clicked_too_fast'])
    expect(evidence([hit('click', 5000)])).toEqual(['person'])
    expect(evidence([hit('open', 2500), hit('click', 4000)])).toEqual(['person', 'person'])
    expect(evidence([hit('open', 500), hit('click', 4000)])).toEqual(['opened_too_fast', 'clicked_too_fast'])
  })
  test('the time decides nothing if the arrival of the mail is unknown', () => {
    expect(evidence([hit('open', 0), hit('click', 0)], null)).toEqual(['person', 'person'])
  })
})

describe('other clicks show who clicked', () => {
  const late = 60_000
  test('different links within two seconds of each other are a scanner’s', () => {
    const all = [0, 1, 2].map((linkPosition) => hit('click', late + linkPosition * 900, { linkPosition }))
    expect(evidence(all)).toEqual(Array.from({ length: 3 }, () => 'several_links_at_once'))
  })
  test('the same link pressed twice is a person’s', () => {
    expect(evidence([hit('click', late), hit('click', late + 300)])).toEqual(['person', 'person'])
  })
  test('another link a few seconds later is a person’s', () => {
    expect(evidence([hit('click', late), hit('click', late + 2001, { linkPosition: 1 })])).toEqual(['person', 'person'])
  })
})

describe('only the network of a caller is stored', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:abcd:12::1', '2001:db8:abcd::/48'],
    ['2001:0db8::1', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '0:0:0::/48'],
    ['1:2:3:4:5:6:7:8', '1:2:3::/48'],
    ['not an address', ''],
  ])('%s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
