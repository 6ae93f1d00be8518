import type { CampaignReview } from '@okaeri/contract/campaigns/review'

/** Where everything goes in test mode. */
export const testersOf = ({ parts, test_recipients: recipients }: CampaignReview): string[] =>
  parts.flatMap(({ channel }) => recipients[channel])
