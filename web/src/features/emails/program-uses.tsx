import { List, Text } from '@mantine/core'
import { CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import type { ProgramUse } from '@okaeri/contract/program-use'
import { ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import { useWords, word } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import type { Use } from '../../ui/confirm.tsx'
import { Card } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { CampaignBadge } from '../campaigns/campaign-badge.tsx'
import { ScenarioBadge } from '../scenarios/scenario-badge.tsx'

const addressOf = ({ type, id }: ProgramUse): string => (type === 'scenario' ? paths.scenario(id) : paths.campaign(id))

/** The same for the window that says why something cannot be deleted. */
export const asUse = (use: ProgramUse): Use => ({
  label: word('emails', `usedBy.${use.type}`, { name: use.name }),
  to: addressOf(use),
})

/** The campaigns and scenarios that send something, each with its status. */
export function ProgramUses({ uses, none }: { uses: readonly ProgramUse[]; none: string }) {
  const t = useWords('emails')
  return (
    <Card title={t('usedBy.title')}>
      {uses.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <List size="sm" spacing={6} listStyleType="none">
          {uses.map((use) => (
            <List.Item key={use.id}>
              <TextLink to={addressOf(use)}>{use.name}</TextLink> <Badge use={use} />
            </List.Item>
          ))}
        </List>
      )}
    </Card>
  )
}

function Badge({ use: { type, status } }: { use: ProgramUse }) {
  const campaign = type === 'campaign' ? CampaignStatus.safeParse(status).data : undefined
  const scenario = type === 'scenario' ? ScenarioStatus.safeParse(status).data : undefined
  if (campaign) return <CampaignBadge status={campaign} />
  return scenario ? <ScenarioBadge status={scenario} /> : null
}
