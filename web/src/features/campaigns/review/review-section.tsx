import { Paper, Stack, Title } from '@mantine/core'
import type { Campaign } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import type { ReactNode } from 'react'

export interface PartProps {
  campaign: Campaign
  review: CampaignReview
}

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="lg" component="section" aria-label={title}>
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  </Paper>
)
