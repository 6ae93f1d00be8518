import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locales } from '../locale.ts'
import { describeFlow, type FlowSentence } from './description.ts'
import { Flow, type FlowNode } from './flow/flow.ts'
import { checkFlowShape, reachable } from './flow/flow-check.ts'
import { type NodeKindName, nodeKindNames, nodeKinds, nodeRules } from './node-kinds/index.ts'
import type { Trigger } from './trigger.ts'
import { eventKindNames } from './trigger-kinds/index.ts'
import { summarizeNode } from './words.ts'

const email = '0198f6a0-0000-7000-8000-000000000001'
const names = { contentName: (id: string) => (id === email ? 'お誕生日おめでとうございます' : null), currency: 'JPY' }
const common = (id: string) => ({ id, name: '', position: { x: 0, y: 0 } })
const leading = (next: string | null) => ({ next: { next } })
const mail = (id: string, next: string | null = null): FlowNode => ({
  ...common(id),
  kind: 'send_email',
  settings: { email_id: email, tracking_parameters: null },
  ...leading(next),
})
const waitFor = (id: string, amount: number, next: string | null): FlowNode => ({
  ...common(id),
  kind: 'wait',
  settings: { wait: { mode: 'for', amount, unit: 'days' } },
  ...leading(next),
})
const flowOf = (start: string | null, nodes: FlowNode[], rest: Partial<Flow> = {}): Flow => ({
  trigger: { kind: 'birthday', days_before: 3, time: '10:00' },
  condition: null,
  reentry: { mode: 'every_days', days: 300 },
  ends_on: [],
  start,
  nodes,
  ...rest,
})
const lines = (sentences: readonly FlowSentence[], indent = ''): string[] =>
  sentences.flatMap(({ number, text, branches }) => [
    `${indent}${number === null ? '' : `${number}. `}${text}`,
    ...branches.flatMap((branch) => [`${indent}- ${branch.label}`, ...lines(branch.sentences, `${indent}  `)]),
  ])

const birthday = flowOf(
  'coupon',
  [
    {
      ...common('coupon'),
      kind: 'issue_coupon',
      settings: {
        coupon: {
          prefix: 'OBK',
          ratio_percent: 10,
          valid_days: 30,
          minimum: { kind: 'subtotal', amount: 5000 },
          applies_to: { kind: 'all' },
        },
      },
      ...leading('first'),
    },
    mail('first', 'wait'),
    waitFor('wait', 3, 'until'),
    {
      ...common('until'),
      kind: 'wait',
      settings: { wait: { mode: 'until_time', time: '10:00' } },
      ...leading('fork'),
    },
    {
      ...common('fork'),
      kind: 'branch',
      settings: {
        condition: {
          type: 'group',
          id: 'g',
          operator: 'and',
          children: [
            {
              type: 'condition',
              id: 'c',
              category: 'consent',
              name: 'accepts_marketing',
              operator: 'equals',
              value: true,
            },
          ],
        },
      },
      next: { yes: 'second', no: 'tag' },
    },
    mail('second', 'tag'),
    {
      ...common('tag'),
      kind: 'tag_customer',
      settings: { add: ['誕生日'], remove: [] },
      ...leading(null),
    },
  ],
  { ends_on: ['bought', 'unsubscribed'] },
)

describe('a flow in words', () => {
  it('is natural Japanese', () => {
    expect(lines(describeFlow(birthday, { language: 'ja', names }))).toMatchInlineSnapshot(`
      [
        "顧客の誕生日の3日前の10:00に始まります。",
        "同じ顧客は、前回の参加から300日たつと再び参加できます。",
        "1. クーポン（10%オフ・30日間有効・¥5,000以上の購入）を発行します。",
        "2. メール「お誕生日おめでとうございます」を配信します。",
        "3. 3日たってから、次の10:00まで待ち、マーケティング許可があるかどうかで分かれます。",
        "- 当てはまる場合",
        "  4. メール「お誕生日おめでとうございます」を配信します。",
        "- 当てはまらない場合",
        "  そのまま次へ進みます。",
        "5. いずれの場合も、その後、タグ「誕生日」を付けます。",
        "途中でも、購入したとき、またはメールの配信を停止したときに終わります。",
      ]
    `)
  })
  it('is plain English', () => {
    expect(lines(describeFlow(birthday, { language: 'en', names }))).toMatchInlineSnapshot(`
      [
        "Starts 3 days before the customer’s birthday at 10:00.",
        "Each customer can enter again 300 days after the last time.",
        "1. Issues a coupon (10% off, valid for 30 days, from ¥5,000).",
        "2. Sends the email “お誕生日おめでとうございます”.",
        "3. Waits 3 days, then until the next 10:00, then splits by whether the marketing permission is given.",
        "- If so",
        "  4. Sends the email “お誕生日おめでとうございます”.",
        "- If not",
        "  Continues with the next step.",
        "5. In every case, it then adds the tag “誕生日”.",
        "It ends early when they buy something or they unsubscribe.",
      ]
    `)
  })
  it('says that goods are bought again when they are used up', () => {
    const again = flowOf(
      'w',
      [
        { ...common('w'), kind: 'wait', settings: { wait: { mode: 'usual_interval', days: 30 } }, ...leading('m') },
        mail('m'),
      ],
      { trigger: { kind: 'order_paid', nth: 2 }, reentry: { mode: 'once' } },
    )
    expect(lines(describeFlow(again, { language: 'ja', names }))).toEqual([
      '2回目の注文の支払いが済むと始まります。',
      '同じ顧客が参加するのは1回だけです。',
      '1. 商品のいつもの購入間隔（分からない商品は30日）だけ待ち、メール「お誕生日おめでとうございます」を配信します。',
    ])
    expect(lines(describeFlow(again, { language: 'en', names }))).toEqual([
      'Starts when a customer’s 2nd order is paid.',
      'Each customer enters only once.',
      '1. Waits as long as customers usually take to buy the product again (30 days if that is not known), then sends the email “お誕生日おめでとうございます”.',
    ])
  })
  it('names the step a loop goes back to by its number', () => {
    const around = flowOf('a', [
      {
        ...common('a'),
        kind: 'wait_for_event',
        settings: { event: 'order_created', amount: 7, unit: 'days' },
        next: { happened: null, timed_out: 'b' },
      },
      mail('b', 'a'),
    ])
    expect(lines(describeFlow(around, { language: 'en' })).slice(2)).toMatchInlineSnapshot(`
      [
        "1. Waits up to 7 days for “order placed”.",
        "- If it happens",
        "  Ends here.",
        "- If it does not happen within 7 days",
        "  2. Sends the selected email.",
        "  Continues at 1.",
      ]
    `)
    expect(lines(describeFlow(around, { language: 'ja' })).slice(2)).toMatchInlineSnapshot(`
      [
        "1. 「注文」を最長7日待ちます。",
        "- 起きた場合",
        "  ここで終わります。",
        "- 7日たっても起きない場合",
        "  2. 選んだメールを配信します。",
        "  1に進みます。",
      ]
    `)
  })
  it('says what an empty draft does', () => {
    expect(lines(describeFlow(flowOf(null, []), { language: 'ja' })).at(-1)).toBe('まだ何もしません。')
  })
  it('says which nodes are never reached', () => {
    const described = describeFlow(flowOf('a', [mail('a'), mail('lost')]), { language: 'en' })
    expect(described.at(-1)).toMatchObject({
      about: 'unconnected',
      node_ids: ['lost'],
      text: '1 step is not connected and never runs.',
    })
  })
})

// Any flow a draft may be, connected at random.
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']
const target = fc.option(fc.constantFrom(...ids, 'nowhere'), { nil: null, freq: 6 })
const duration = {
  amount: fc.integer({ min: 1, max: 100_000 }),
  unit: fc.constantFrom('minutes' as const, 'hours' as const, 'days' as const),
}
const time = fc.constantFrom('00:00', '10:00', '23:59')
const condition = fc.constantFrom(null, { type: 'group' as const, id: 'g', operator: 'and' as const, children: [] })
const settings: Partial<Record<NodeKindName, fc.Arbitrary<unknown>>> = {
  send_email: fc.record({ email_id: fc.constantFrom(null, email), tracking_parameters: fc.constant(null) }),
  wait: fc.record({
    wait: fc.oneof(
      fc.record({ mode: fc.constant('for'), ...duration }),
      fc.record({ mode: fc.constant('until_time'), time }),
      fc.record({ mode: fc.constant('usual_interval'), days: fc.integer({ min: 1, max: 365 }) }),
      fc.record({
        mode: fc.constant('until_weekday'),
        weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        time,
      }),
    ),
  }),
  wait_for_event: fc.record({ event: fc.constantFrom(...eventKindNames), ...duration }),
  branch: fc.record({ condition }),
  random_split: fc.record({ shares: fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 5 }) }),
  issue_coupon: fc.constant({
    coupon: {
      prefix: 'OBK',
      ratio_percent: 10,
      valid_days: 1,
      minimum: { kind: 'quantity', quantity: 1 },
      applies_to: { kind: 'products', ids: [1, 2] },
    },
  }),
  tag_customer: fc.record({
    add: fc.array(fc.constant('x'), { maxLength: 2 }),
    remove: fc.array(fc.constant('y'), { maxLength: 2 }),
  }),
  add_note: fc.record({ text: fc.string({ maxLength: 100 }) }),
  call_webhook: fc.record({ url: fc.constantFrom('', 'nonsense', 'https://example.com/a') }),
}
const portsOfKind = (kind: NodeKindName): string[] => Object.keys(nodeKinds[kind].shape.shape.next.shape)
const nodeAt = (id: string) =>
  fc.constantFrom(...nodeKindNames).chain((kind) =>
    fc.record({
      id: fc.constant(id),
      name: fc.constant(''),
      position: fc.constant({ x: 0, y: 0 }),
      kind: fc.constant(kind),
      settings: settings[kind] ?? fc.constant(nodeRules(kind).initial),
      next: fc.record(Object.fromEntries(portsOfKind(kind).map((port) => [port, target]))),
    }),
  )
const anyTrigger: fc.Arbitrary<Trigger> = fc.constantFrom<Trigger[]>(
  { kind: 'customer_created' },
  { kind: 'cart_abandoned', after_minutes: 90 },
  { kind: 'checkout_abandoned', after_minutes: 1440 },
  { kind: 'birthday', days_before: 0, time: '09:00' },
  { kind: 'segment_entered', segment_id: null },
  { kind: 'metafield_date', metafield: null, offset_days: -3, every_year: true, time: '09:00' },
  { kind: 'days_without_order', days: 90, time: '09:00' },
  { kind: 'flow_action', handle: '' },
  { kind: 'manual', segment_id: email },
)
const anyFlow = fc
  .record({
    trigger: anyTrigger,
    condition,
    reentry: fc.constantFrom(
      { mode: 'once' },
      { mode: 'when_none_runs' },
      { mode: 'always' },
      { mode: 'every_days', days: 1 },
    ),
    ends_on: fc.constant(['bought']),
    start: target,
    nodes: fc.tuple(...ids.map(nodeAt)).chain((nodes) => fc.shuffledSubarray(nodes)),
  })
  .map((flow) => Flow.parse(flow))

const stepsOf = (sentences: readonly FlowSentence[]): FlowSentence[] =>
  sentences.flatMap((sentence) => [
    ...(sentence.about === 'step' ? [sentence] : []),
    ...sentence.branches.flatMap((branch) => stepsOf(branch.sentences)),
  ])

describe('any flow', () => {
  it('describes every reachable node in exactly one step, numbered in reading order', () => {
    fc.assert(
      fc.property(anyFlow, fc.constantFrom(...locales), (flow, language) => {
        const described = describeFlow(flow, { language, names })
        const steps = stepsOf(described)
        const reached = reachable(flow, new Map(flow.nodes.map((node) => [node.id, node])))
        expect(steps.flatMap(({ node_ids }) => node_ids).sort()).toEqual([...reached].sort())
        expect(steps.map(({ number }) => number)).toEqual(steps.map((_, at) => at + 1))
        expect(JSON.stringify(described)).not.toContain('undefined')
        for (const node of flow.nodes) expect(summarizeNode(node, { language, names })).not.toContain('undefined')
      }),
      { numRuns: 500 },
    )
  })
  it('grows with its nodes, not with its paths, when branches meet again', () => {
    // 2^75 paths lead through it.
    const nodes = Array.from({ length: 75 }, (_, at): FlowNode[] => [
      { ...common(`fork${at}`), kind: 'branch', settings: { condition: null }, next: { yes: `a${at}`, no: `b${at}` } },
      waitFor(`a${at}`, 1, `meet${at}`),
      waitFor(`b${at}`, 2, `meet${at}`),
      mail(`meet${at}`, at < 74 ? `fork${at + 1}` : null),
    ]).flat()
    const flow = Flow.parse(flowOf('fork0', nodes))
    expect(checkFlowShape(flow).filter(({ problem }) => problem !== 'condition_invalid')).toEqual([])
    const described = describeFlow(flow, { language: 'en', names })
    expect(stepsOf(described).flatMap(({ node_ids }) => node_ids)).toHaveLength(300)
    expect(JSON.stringify(described).length).toBeLessThan(300 * 300)
  })
  it('can have 300 branches', () => {
    const nodes = Array.from({ length: 300 }, (_, at): FlowNode => {
      const next = (ahead: number): string | null => (at + ahead < 300 ? `n${at + ahead}` : null)
      return { ...common(`n${at}`), kind: 'branch', settings: { condition: null }, next: { yes: next(1), no: next(2) } }
    })
    expect(stepsOf(describeFlow(flowOf('n0', nodes), { language: 'ja' }))).toHaveLength(300)
  })
})
