import { getMerchant } from '../../merchants/index.ts'
import type { NodeKind } from '../node-kind.ts'
import { endOfWait } from '../waiting-times.ts'

export const wait: NodeKind<'wait'> = {
  kind: 'wait',
  async advance({ scope, node, executions }) {
    const { timezone } = await getMerchant(scope)
    const until = endOfWait(node.settings.wait, scope.now, timezone)
    return executions.map(({ woken, test }) => {
      if (test) return { to: 'next', detail: { passed_over: 'test' } }
      return woken === 'arrived' ? { sleepUntil: until, detail: { until: until.toISOString() } } : { to: 'next' }
    })
  },
}
