import { Button } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import type { Campaign } from '@okaeri/contract/campaigns/campaign'
import { undoCampaign } from '@okaeri/contract/campaigns/routes'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

const A_SECOND = 1000

/** While what was just confirmed can be taken back: how long still, and the button. `at`: when the campaign was asked for, in ms. */
export function UndoNotice({ campaign, at }: { campaign: Campaign; at: number }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), A_SECOND, { autoInvoke: true })
  const undo = useAction(undoCampaign, {
    done: { message: t('undo.done') },
    areas: ['emails', 'segments'],
    onDone: () => void navigate({ to: paths.campaignReview(campaign.id) }),
  })
  if (campaign.undo_seconds_left === null) return null
  const seconds = Math.ceil(campaign.undo_seconds_left - Math.max(0, now - at) / A_SECOND)
  if (seconds <= 0) return null
  const immediate = campaign.send_type === 'immediate'
  return (
    <Notice
      tone="info"
      title={t(immediate ? 'undo.sendsSoon' : 'undo.scheduled', { n: format.number(seconds) })}
      action={
        mayChange && (
          <Button
            leftSection={<IconArrowBackUp size={18} aria-hidden />}
            loading={undo.isPending}
            onClick={() => undo.mutate({ params: { id: campaign.id } })}
          >
            {t('undo.do')}
          </Button>
        )
      }
    >
      {t(immediate ? 'undo.sendsSoonText' : 'undo.scheduledText')}
    </Notice>
  )
}
