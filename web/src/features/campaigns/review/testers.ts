import type { CampaignReview } from '@okaeri/contract/campaigns/campaign'

/** Where everything goes in test mode. */
export const testersOf = ({ parts, test_recipients: recipients }: CampaignReview): string[] =>
  parts.flatMap(({ channel }) => recipients[channel])
