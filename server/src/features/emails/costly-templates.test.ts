import * as campaigns from '@okaeri/contract/campaigns/routes'
import { ApiError } from '@okaeri/contract/client'
import type { Finding } from '@okaeri/contract/emails/email'
import * as endpoints from '@okaeri/contract/emails/routes'
import { beforeAll, describe, expect, test } from 'vitest'
import { addCustomers, addEmail, GOOD_HTML } from '../../../test/fixtures.ts'
import { startTestOkaeri, type TestMerchant } from '../../../test/harness.ts'
import { EMPTY, okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { refusal } from '../../../test/refusal.ts'
import { someOf } from '../../../test/thorough.ts'
import { aReservedCampaign, aSentCampaign, campaignOf } from '../../../test/builders/campaign.ts'

let hostile: TestMerchant
let other: TestMerchant

withSandbox({ seed: EMPTY })
beforeAll(async () => {
  hostile = await okaeri.merchant()
  other = await okaeri.merchant()
})

const preview = async (who: TestMerchant, content: string) =>
  (await who.call(endpoints.previewEmail, { body: { subject: 's', content } })).rendered
const costly = (findings: readonly Finding[]) =>
  findings.filter(({ code }) => code.startsWith('template_')).map(({ code }) => code)

const long = 'x'.repeat(4000)
const range = '(1..1000)'
const often = (what: string): string => `{% for i in ${range} %}{% for j in ${range} %}${what}{% endfor %}{% endfor %}`
/** Each would compute for minutes, or fill the memory. */
const attacks: [string, string][] = [
  ['an expression for each of 100,000 items', '{{ (1..100000) | where_exp: "i", "i == 5" | size }}'.repeat(100)],
  ['the same of 1,000 items', `{{ ${range} | where_exp: "i", "i == 5" | size }}`.repeat(100)],
  ['other expressions', `{{ ${range} | group_by_exp: "i", "i" | size }}{{ ${range} | find_exp: "i", "i" }}`],
  ['a property of each item, again and again', `{{ ${range} | where: "a", 5 | map: "b" | size }}`.repeat(4000)],
  ['a long path of each item', `{{ ${range} | map: "${'a.'.repeat(2000)}a" }}`.repeat(200)],
  ['sorting and grouping', `{{ ${range} | sort | reverse | group_by: "x" | size }}`.repeat(3000)],
  [
    'loops in loops',
    `{% for a in ${range} %}{% for b in ${range} %}{% for c in ${range} %}x{% endfor %}{% endfor %}{% endfor %}`,
  ],
  [
    'loops in loops around nothing',
    `{% for a in ${range} %}{% for b in ${range} %}{% for c in ${range} %}{% endfor %}{% endfor %}{% endfor %}`,
  ],
  ['a range nobody can see', '{% assign n = "1e9" %}{% for i in (1..n) %}x{% endfor %}'],
  ['a text doubled sixty times', `{% assign a = "x" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`],
  [
    'a capture doubled sixty times',
    `{% assign a = "x" %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(60)}{{ a }}`,
  ],
  [
    'a text in place of each letter',
    `{% assign a = "${long}" %}${'{% assign a = a | replace: "x", a %}'.repeat(30)}{{ a }}`,
  ],
  [
    'letters split and joined',
    `{% assign a = "${long}" %}${'{% assign a = a | split: "" | join: "yy" %}'.repeat(60)}{{ a }}`,
  ],
  [
    'a list in itself sixty times',
    `{% assign a = "x,y" | split: "," %}${'{% assign a = a | push: a %}'.repeat(60)}{{ a }}`,
  ],
  [
    'a list doubled sixty times',
    `{% assign a = "x,y" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(60)}{{ a | json }}`,
  ],
  ['a date a gigabyte wide', '{{ "2020-01-01" | date: "%1000000000d" }}'],
  [
    'dates in many zones',
    `{% for i in ${range} %}{{ "2020-01-01" | date: "%Z", "Asia/Tokyo" }}{% endfor %}`.repeat(100),
  ],
  [
    'an address encoded again and again',
    `{% assign a = "${'あ'.repeat(1500)}" %}${'{% assign a = a | url_encode %}'.repeat(60)}{{ a }}`,
  ],
  [
    'one text looked for in another',
    `{% assign a = "${long}" %}${'{% assign a = a | append: a %}'.repeat(6)}{% assign b = "${'x'.repeat(2000)}y" %}{% for i in ${range} %}{% if a contains b %}1{% endif %}{% endfor %}`,
  ],
  [
    'lists compared',
    `{% assign a = ${range} | map: "x" %}{% for i in ${range} %}{% for j in ${range} %}{% if a == a %}{% endif %}{% endfor %}{% endfor %}`,
  ],
  ['five thousand tags too many', '{{ customer.name }}'.repeat(10_000)],
  ['a tag of a million letters', `{% if a ${'and a '.repeat(160_000)}%}{% endif %}`],
  [
    'words in turn',
    `{% for i in ${range} %}{% for j in ${range} %}{% cycle ${'"a",'.repeat(1000)}"b" %}{% endfor %}{% endfor %}`,
  ],
  ['thousands of branches, none of which is taken', often(`{% if a %}${'{% elsif a %}'.repeat(4900)}{% endif %}`)],
  ['the same of unless', often(`{% unless true %}${'{% elsif a %}'.repeat(4900)}{% endunless %}`)],
  ['a case of thousands of values', often(`{% case 1 %}${`{% when ${'2,'.repeat(400)}2 %}`.repeat(500)}{% endcase %}`)],
  [
    'a case about a long list',
    `{% assign a = ${range} | map: "x" %}${often(`{% case a %}${`{% when ${'a,'.repeat(400)}a %}`.repeat(200)}{% endcase %}`)}`,
  ],
  [
    'which of two long texts is the greater',
    `{% assign a = "${long}" %}${'{% assign a = a | append: a %}'.repeat(6)}${often(`{% if a < a ${'or a < a '.repeat(400)}%}{% endif %}`)}`,
  ],
]
const savedToo = someOf(
  attacks.map(([what]) => what),
  0,
)

describe('a template made to hold us up', () => {
  test.each(attacks)('is a finding, whatever it does: %s', async (what, content) => {
    const { findings } = await preview(hostile, content)
    expect(costly(findings)).toHaveLength(1)
    const [found] = findings.filter(({ code }) => code.startsWith('template_'))
    expect(found).toMatchObject({ level: 'blocks' })
    // The work is counted. Ending the thread after seconds is only for cases we did not foresee.
    expect(found?.detail).not.toMatch(/it takes too long$|too much memory/)
    // Saving asks the same as the preview.
    if (!savedToo.includes(what)) return
    const refused = await refusal(hostile.call(endpoints.createEmail, { body: { name: 'x', subject: 's', content } }))
    expect(refused).toMatchObject({ status: 400, fields: { content: 'template_syntax' } })
    expect(['template_not_offered', 'template_too_costly']).toContain(refused.reason)
  })

  test('gets the line of each construct that is not offered, in the subject as well', async () => {
    const content = '<p>\n\n{{ customer.tags | split: "," | where_exp: "t", "t" }}</p>'
    const { findings } = await preview(hostile, content)
    expect(findings).toContainEqual({ code: 'template_not_offered', level: 'blocks', detail: '3: where_exp', line: 3 })
    const subject = '{{ (1..5000) | size }}'
    expect(
      await refusal(hostile.call(endpoints.createEmail, { body: { name: 'x', subject, content: 'x' } })),
    ).toMatchObject({ reason: 'template_not_offered', fields: { subject: 'template_syntax' } })
  })

  test('costs what all its parts cost together', async () => {
    const half = `{% for a in ${range} %}{% for b in (1..5) %}{{ a }}{% endfor %}{% endfor %}`
    expect(costly((await preview(hostile, half)).findings)).toEqual([])
    expect(costly((await preview(hostile, half.repeat(3))).findings)).toEqual(['template_too_costly'])
  })

  test('keeps no one else waiting: pages answer and others’ mails are shown before it is done', async () => {
    // Slow by its sheer size: no limit of work ends it, and no shop has such a mail.
    const heavy = '<table><tr><td>'.repeat(60_000)
    await preview(other, 'x')
    const order: string[] = []
    const note = (who: string) => () => void order.push(who)
    const all = Array.from({ length: 3 }, () => preview(hostile, heavy).then(note('hostile')))
    const answered = fetch(`${okaeri.url}/healthz`).then(note('health'))
    const shown = preview(other, '<p>{% if true %}{{ customer.name }}{% endif %}</p>').then(note('other'))
    await Promise.all([...all, answered, shown])
    expect(order.lastIndexOf('hostile')).toBe(4)
    expect(order.indexOf('other')).toBeLessThan(order.lastIndexOf('hostile'))
    expect(order.indexOf('health')).toBeLessThan(order.lastIndexOf('hostile'))
  })

  test('is refused when too many come at once, and the others still get theirs', async () => {
    const heavy = '<table><tr><td>'.repeat(10_000)
    const flood = Promise.allSettled(Array.from({ length: 60 }, () => preview(hostile, heavy)))
    expect((await preview(other, '<p>{{ customer.name }}</p>')).html).toContain('山田 花子')
    const answers = await flood
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as ApiError] : []))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
  })
})

test('reading a mail takes time in proportion to its length, however many variables and attributes are in it', async () => {
  const far = 'x'.repeat(800_000)
  for (const content of [
    far + '<a href="{{ event.recovery_url }}">'.repeat(4900),
    far + '{{ customer.name | upcase }}'.repeat(4900),
    `<p ${Array.from({ length: 60_000 }, (_, n) => `a${n}`).join(' ')}>${far.slice(0, 400_000)}`,
  ])
    expect(costly((await preview(hostile, content)).findings)).toEqual([])
})

describe('what a mail of a shop does', () => {
  test.each([
    '{% for line in event.lines %}{{ line.title }} × {{ line.quantity }}{% endfor %}',
    '{% assign tags = customer.tags | split: ", " %}{% if tags contains "VIP" %}♥{% endif %}{{ tags | sort | join: "/" }}',
    '{% for i in (1..1000) %}{{ i }} {% endfor %}',
    `{% for i in (1..50) %}{% case customer.last_name %}${'{% when "北海道", "青森県" %}北国の皆様へ'.repeat(47)}{% endcase %}{% endfor %}`,
    '{{ "now" | date: "%Y年%m月%d日" }} {{ store.name | upcase | truncate: 10 }} {{ 1200 | times: 1.1 | round }}',
    '{{ event.lines | where: "quantity", 2 | map: "title" | first }}',
    `{% capture body %}${'<p>本文</p>'.repeat(2000)}{% endcapture %}{{ body | size }}`,
  ])('goes on working: %s', async (content) => {
    expect(costly((await preview(other, content)).findings)).toEqual([])
  })
})

test('a script hidden by tags is in no preview, in no mail and in no view of a sent one', async () => {
  const hidden =
    '<scr{% comment %}x{% endcomment %}ipt>alert(1)</script><a href="{{ "java" | append: "script:x()" }}">x</a>'
  const { html, findings } = await preview(other, `<p {{ "onclick=x()" }}>1</p>${hidden}`)
  expect(html).not.toMatch(/script|onclick/)
  expect(findings.map(({ code }) => code)).toContain('script_removed')

  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'hidden@x.test' }])
  const email_id = await addEmail(merchant.scope(), { content: GOOD_HTML.replace('</body>', `${hidden}</body>`) })
  const { id } = await aSentCampaign(merchant, { email_id })
  const [mail] = sandbox.mailbox.list({ to: 'hidden@x.test' })
  const got = await sandbox.mailbox.read(mail?.id ?? 0)
  expect(got?.html).toContain('新作を見る')
  expect(got?.html).not.toMatch(/script|alert/)
  const { report } = await merchant.call(campaigns.getCampaignReport, { params: { id } })
  expect(report.email?.html).toContain('新作を見る')
  expect(report.email?.html).not.toMatch(/script|alert\(/)
})

describe('while it is being sent', () => {
  const reserve = async (merchant: TestMerchant, content: string): Promise<string> =>
    (await aReservedCampaign(merchant, { email_id: await addEmail(merchant.scope(), { content }) })).id

  test('a template that is too costly for real recipients fails its message after a few, and others’ mails leave', async () => {
    const merchants = await Promise.all([okaeri.merchant(), okaeri.merchant()])
    for (const merchant of merchants)
      await addCustomers(
        merchant.scope(),
        Array.from({ length: 200 }, (_, n) => ({ email: `p${n}@x.test` })),
      )
    const [costly, fine] = merchants as [TestMerchant, TestMerchant]
    // Nothing to see with the example of the review.
    const loops = `{% for a in ${range} %}{% for b in ${range} %}{% for c in ${range} %}x{% endfor %}{% endfor %}{% endfor %}`
    const bad = await reserve(
      costly,
      GOOD_HTML.replace('</p>', `{% if customer.email contains "x.test" %}${loops}{% endif %}</p>`),
    )
    const good = await reserve(
      fine,
      GOOD_HTML.replace('</p>', '{% if customer.email contains "x.test" %}here{% endif %}</p>'),
    )
    const { threads } = okaeri.context
    let tried = 0
    const { run } = threads
    threads.run = (name, argument, options) => {
      if (name === 'fillMails' && options.owner === costly.id) tried += 1
      return run(name, argument, options)
    }
    await okaeri.settle()
    threads.run = run
    expect((await campaignOf(costly, bad)).balance).toMatchObject({
      audience: 200,
      failed: 200,
      failed_by_class: { content: 200 },
    })
    expect(tried).toBeLessThanOrEqual(3)
    expect(await campaignOf(fine, good)).toMatchObject({ status: 'sent', balance: { sent: 200 } })
  })

  test('what was frozen before a filter was taken away fails with its name', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(merchant.scope(), [{ email: 'a@x.test' }])
    const id = await reserve(merchant, GOOD_HTML)
    await okaeri.context.db
      .updateTable('email_contents')
      .set({ html: '{{ customer.tags | split: "," | where_exp: "t", "t" }}' })
      .where('merchant_id', '=', merchant.id)
      .execute()
    await okaeri.settle()
    expect((await campaignOf(merchant, id)).balance).toMatchObject({ failed: 1, failed_by_class: { content: 1 } })
    const { data } = await merchant.call(campaigns.listCampaignDeliveries, { params: { id } })
    expect(data[0]?.detail).toBe('where_exp')
  })
})

test('stopping does not wait for what people wrote', async () => {
  const brief = await startTestOkaeri({ ownThreads: true })
  const merchant = await brief.merchant()
  const answer = refusal(preview(merchant, '<table><tr><td>'.repeat(60_000)))
  await brief.context.threads.close()
  expect(await answer).toMatchObject({ status: 503 })
  await brief.close()
})
