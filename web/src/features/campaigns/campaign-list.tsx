import { useWords } from '../../app/i18n.ts'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Loading } from '../../ui/states.tsx'

export function CampaignList() {
  const t = useWords('campaigns')
  return (
    <PageFrame title={t('title')}>
      <Loading />
    </PageFrame>
  )
}
