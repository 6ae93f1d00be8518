import { describeRule } from '../segments/condition-words.ts'
import { type Flow, type FlowNode, nextOf, portsOf } from './flow/flow.ts'
import { reachable } from './flow/flow-check.ts'
import { meetingPoints } from './flow/meeting-points.ts'
import { nodeRules } from './node-kinds/index.ts'
import { waitText } from './node-kinds/wait.ts'
import { capitalized, type FlowSaying, orInEnglish } from './flow/phrases.ts'
import { describeReentry, describeTrigger, endsOnWords } from './words.ts'

/** One sentence about a flow. */
export interface FlowSentence {
  /**
   * `step`: one or more nodes; a node is in one step only. `goto`: continues at a step described elsewhere, or after the branches.
   * `end`: nothing follows. `unconnected`: nodes that are never reached.
   */
  about: 'trigger' | 'condition' | 'reentry' | 'step' | 'goto' | 'end' | 'ends_on' | 'unconnected'
  /** For a step, its number in the whole flow, branches included. Otherwise null. */
  number: number | null
  /** The nodes it is about, in order; of a `goto` the node it continues at. */
  node_ids: readonly string[]
  text: string
  branches: readonly FlowBranch[]
}
/** One port of a step, with the sentences that belong to this branch only. */
export interface FlowBranch {
  port: string
  label: string
  sentences: readonly FlowSentence[]
}

const phrases = {
  condition: (rule: string) => ({
    ja: `次に当てはまる顧客だけが参加します：${rule}。`,
    en: `Only for customers where ${rule}.`,
  }),
  endsOn: (reasons: readonly string[]) => ({
    ja: `途中でも、${reasons.join('、または')}に終わります。`,
    en: `It ends early when ${orInEnglish(reasons)}.`,
  }),
  goto: (number: number) => ({ ja: `${number}に進みます。`, en: `Continues at ${number}.` }),
  endsHere: { ja: 'ここで終わります。', en: 'Ends here.' },
  straightOn: { ja: 'そのまま次へ進みます。', en: 'Continues with the next step.' },
  inEveryCase: { ja: 'いずれの場合も、その後、', en: 'In every case, it then ' },
  nothingYet: { ja: 'まだ何もしません。', en: 'It does nothing yet.' },
  unconnected: (count: number) => ({
    ja: `つながっていないステップが${count}個あります。実行されません。`,
    en: count === 1 ? '1 step is not connected and never runs.' : `${count} steps are not connected and never run.`,
  }),
}

/**
 * A flow in words: trigger, who enters, how often, the steps, what ends it early. Never throws: it says what a draft still lacks.
 * Every reachable node is described once; what follows a meeting point of branches is described after them.
 */
export function describeFlow(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const sentences = [plain('trigger', describeTrigger(flow.trigger, saying))]
  const everyone = flow.condition === null || (flow.condition.type === 'group' && flow.condition.children.length === 0)
  if (flow.condition && !everyone) {
    const rule = describeRule(flow.condition, language, saying.names)
    sentences.push(plain('condition', phrases.condition(rule)[language]))
  }
  sentences.push(plain('reentry', describeReentry(flow.reentry, language)))
  sentences.push(...describeSteps(flow, saying))
  if (flow.ends_on.length > 0) {
    const reasons = flow.ends_on.map((each) => endsOnWords[each][language])
    sentences.push(plain('ends_on', phrases.endsOn(reasons)[language]))
  }
  return sentences
}

const plain = (about: FlowSentence['about'], text: string, node_ids: readonly string[] = []): FlowSentence => ({
  about,
  number: null,
  node_ids,
  text,
  branches: [],
})

/** Several nodes as one sentence. */
function sentenceOf(nodes: readonly FlowNode[], lead: string, saying: FlowSaying): string {
  const clauses = nodes.map(({ kind, settings }) => nodeRules(kind).clause(settings, saying))
  if (saying.language === 'ja') {
    const parts = clauses.map(({ ja: { mid, end } }, at) => {
      if (at === clauses.length - 1) return `${end}。`
      const [node, next] = [nodes[at], nodes[at + 1]]
      // 「3日待ち、次の10:00まで待ち」 would read as one wait, but these are two, one after the other.
      if (node?.kind === 'wait' && !('time' in node.settings.wait) && next?.kind === 'wait')
        return `${waitText(node.settings.wait, 'ja').ja}たってから、`
      return `${mid}、`
    })
    return `${lead}${parts.join('')}`
  }
  const parts = clauses.map(({ en }, at) => (at > 0 && nodes[at]?.kind === 'wait' ? en.replace(/^waits /, '') : en))
  const text = parts.join(', then ')
  return `${lead}${lead ? text : capitalized(text)}.`
}

function describeSteps(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const byId = new Map<string, FlowNode>()
  for (const node of flow.nodes) if (!byId.has(node.id)) byId.set(node.id, node)
  const known = (id: string | null): string | null => (id !== null && byId.has(id) ? id : null)
  const reached = reachable(flow, byId)
  const waysIn = new Map<string, number>()
  const countWay = (id: string | null): void => {
    if (id !== null) waysIn.set(id, (waysIn.get(id) ?? 0) + 1)
  }
  countWay(known(flow.start))
  for (const id of reached) {
    const node = byId.get(id)
    if (node) for (const port of portsOf(node)) countWay(known(nextOf(node, port)))
  }
  const meeting = meetingPoints(reached, byId)
  const numbers = new Map<string, number>()
  let count = 0

  /** From this node to where the branches around it meet. */
  const write = (from: string | null, until: string | null, lead: string): FlowSentence[] => {
    const sentences: FlowSentence[] = []
    let at = from
    let beginning = lead
    while (at !== null && at !== until) {
      const number = numbers.get(at)
      if (number !== undefined) {
        sentences.push(plain('goto', phrases.goto(number)[language], [at]))
        return sentences
      }
      const chain: FlowNode[] = []
      let last: FlowNode | undefined
      for (let next: string | null = at; next !== null; ) {
        const node = byId.get(next)
        const joins = chain.length === 0 || (waysIn.get(next) === 1 && next !== until && node?.kind !== 'end')
        if (!node || !joins || numbers.has(next)) break
        chain.push(node)
        numbers.set(node.id, count + 1)
        last = node
        if (node.kind !== 'wait') break
        next = known(node.next.next)
      }
      if (!last) break
      count += 1
      const sentence = {
        about: 'step' as const,
        number: count,
        node_ids: chain.map(({ id }) => id),
        text: sentenceOf(chain, beginning, saying),
      }
      const ports = portsOf(last)
      if (ports.length < 2) {
        sentences.push({ ...sentence, branches: [] })
        const [port] = ports
        at = port === undefined ? null : known(nextOf(last, port))
        beginning = ''
        continue
      }
      const meet = meeting.get(last.id) ?? null
      // If the branches around this one meet there too, all of them continue there.
      const inner = meet !== null && !numbers.has(meet) ? meet : until
      const fork = last
      const branches = ports.map((port): FlowBranch => {
        const target = known(nextOf(fork, port))
        const inBranch = write(target, inner, '')
        if (inBranch.length === 0) {
          if (target === null) inBranch.push(plain('end', phrases.endsHere[language]))
          else inBranch.push(plain('goto', phrases.straightOn[language], [target]))
        }
        const label = nodeRules(fork.kind).way?.(port, fork.settings, language).label[language] ?? port
        return { port, label, sentences: inBranch }
      })
      sentences.push({ ...sentence, branches })
      at = inner === until ? null : inner
      beginning = phrases.inEveryCase[language]
    }
    return sentences
  }

  const sentences = write(known(flow.start), null, '')
  if (sentences.length === 0) sentences.push(plain('end', phrases.nothingYet[language]))
  const lost = flow.nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => id)
  if (lost.length > 0) sentences.push(plain('unconnected', phrases.unconnected(lost.length)[language], lost))
  return sentences
}
