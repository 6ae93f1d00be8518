// Search parameters of the pages of this feature.

import { ChannelName, DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import { ExecutionStatus, StepError } from '@okaeri/contract/scenarios/execution'
import { ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import { z } from 'zod'
import { listSearch } from '../../ui/pages/list-state.ts'
import { scenarioTabs } from './scenario-tabs.ts'

export const ScenarioSearch = listSearch({
  sorts: ['created_at', 'name', 'execution_count', 'updated_at'],
  filters: { status: ScenarioStatus },
})

/** The open tab, the filters of its list, and the customer the page is asked about. */
export const ScenarioPageSearch = listSearch({
  sorts: ['created_at'],
  filters: {
    tab: z.enum(scenarioTabs),
    status: ExecutionStatus,
    /** Of failed executions. */
    error: StepError,
    /** Status of the deliveries. */
    sent: DeliveryStatus,
    channel: ChannelName,
    node: z.string().max(40),
    test: z.enum(['true', 'false']),
    customer: z.uuid(),
  },
})

/** Spec §2: the edit screen has a flow-editor mode. */
export const ScenarioEditSearch = z.object({ mode: z.literal('flow').optional().catch(undefined) })
