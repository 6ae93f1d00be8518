import { describeRule } from '../segments/condition-words.ts'
import { type Flow, type FlowNode, nextOf, portsOf } from './flow.ts'
import { reachable } from './flow-check.ts'
import { meetingPoints } from './meeting-points.ts'
import { nodeRules } from './node-kinds/index.ts'
import { waitText } from './node-kinds/wait.ts'
import { type FlowSaying, orInEnglish } from './phrases.ts'
import { describeReentry, describeTrigger, endsOnWords } from './words.ts'

/** One thing a flow says. */
export interface FlowSentence {
  /**
   * `step`: its nodes, each of which is in one step alone. `goto`: it goes on at a step told elsewhere, or with what follows the
   * branches. `end`: nothing more comes. `unconnected`: nodes nobody comes to.
   */
  about: 'trigger' | 'condition' | 'reentry' | 'step' | 'goto' | 'end' | 'ends_on' | 'unconnected'
  /** Steps are counted through the whole, branches included; null for what is no step. */
  number: number | null
  /** What it tells of, in order; of a `goto` where it leads. */
  node_ids: readonly string[]
  text: string
  branches: readonly FlowBranch[]
}
/** One way out of a step, and what follows on it alone. */
export interface FlowBranch {
  port: string
  label: string
  sentences: readonly FlowSentence[]
}

/**
 * A flow read out: trigger, who enters, how often, the steps, what ends it early. Never throws: what is missing in a draft is said to be.
 * Every node an execution can come to is told once; where branches meet again, what follows is told after them.
 */
export function describeFlow(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const ja = language === 'ja'
  const told = [plain('trigger', describeTrigger(flow.trigger, saying))]
  const everyone = flow.condition === null || (flow.condition.type === 'group' && flow.condition.children.length === 0)
  if (flow.condition && !everyone) {
    const rule = describeRule(flow.condition, language, saying.names)
    told.push(
      plain('condition', ja ? `次に当てはまる顧客だけが入ります：${rule}。` : `Only for customers where ${rule}.`),
    )
  }
  told.push(plain('reentry', describeReentry(flow.reentry, language)))
  told.push(...describeSteps(flow, saying))
  if (flow.ends_on.length > 0) {
    const reasons = flow.ends_on.map((each) => endsOnWords[each][language])
    const text = ja
      ? `途中でも、${reasons.join('、または')}に終わります。`
      : `It ends early when ${orInEnglish(reasons)}.`
    told.push(plain('ends_on', text))
  }
  return told
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
  const { language } = saying
  const clauses = nodes.map(({ kind, settings }) => nodeRules(kind).clause(settings, saying))
  if (language === 'ja') {
    const said = clauses.map(({ mid, end }, at) => {
      if (at === clauses.length - 1) return `${end}。`
      const [node, next] = [nodes[at], nodes[at + 1]]
      // 「3日待ち、次の10:00まで待ち」 reads as one wait; it is two, one after the other.
      if (node?.kind === 'wait' && !('time' in node.settings.wait) && next?.kind === 'wait')
        return `${waitText(node.settings.wait, language)}たってから、`
      return `${mid}、`
    })
    return `${lead}${said.join('')}`
  }
  const said = clauses.map(({ end }, at) => (at > 0 && nodes[at]?.kind === 'wait' ? end.replace(/^waits /, '') : end))
  const text = said.join(', then ')
  return `${lead}${lead ? text : text.charAt(0).toUpperCase() + text.slice(1)}.`
}

function describeSteps(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const ja = language === 'ja'
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

  /** From a node on, up to where the branches around it meet. */
  const write = (from: string | null, until: string | null, lead: string): FlowSentence[] => {
    const told: FlowSentence[] = []
    let at = from
    let said = lead
    while (at !== null && at !== until) {
      const number = numbers.get(at)
      if (number !== undefined) {
        told.push(plain('goto', ja ? `${number}に進みます。` : `Continues at ${number}.`, [at]))
        return told
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
        text: sentenceOf(chain, said, saying),
      }
      const ports = portsOf(last)
      if (ports.length < 2) {
        told.push({ ...sentence, branches: [] })
        const [port] = ports
        at = port === undefined ? null : known(nextOf(last, port))
        said = ''
        continue
      }
      const meet = meeting.get(last.id) ?? null
      // Where the branches around this one meet as well, they all go on there.
      const inner = meet !== null && !numbers.has(meet) ? meet : until
      const fork = last
      const branches = ports.map((port): FlowBranch => {
        const target = known(nextOf(fork, port))
        const sentences = write(target, inner, '')
        if (sentences.length === 0) {
          if (target === null) sentences.push(plain('end', ja ? 'ここで終わります。' : 'Ends here.'))
          else sentences.push(plain('goto', ja ? 'そのまま次へ進みます。' : 'Goes straight on.', [target]))
        }
        return { port, label: nodeRules(fork.kind).way?.(port, fork.settings, language).label ?? port, sentences }
      })
      told.push({ ...sentence, branches })
      at = inner === until ? null : inner
      said = ja ? 'いずれの場合も、その後、' : 'In every case, it then '
    }
    return told
  }

  const told = write(known(flow.start), null, '')
  if (told.length === 0) told.push(plain('end', ja ? 'まだ何もしません。' : 'It does nothing yet.'))
  const lost = flow.nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => id)
  if (lost.length > 0) {
    const text = ja
      ? `つながっていないステップが${lost.length}個あります。実行されません。`
      : lost.length === 1
        ? '1 step is not connected and never runs.'
        : `${lost.length} steps are not connected and never run.`
    told.push(plain('unconnected', text, lost))
  }
  return told
}
