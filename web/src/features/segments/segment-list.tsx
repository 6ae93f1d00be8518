import { useWords } from '../../app/i18n.ts'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Loading } from '../../ui/states.tsx'

export function SegmentList() {
  const t = useWords('segments')
  return (
    <PageFrame title={t('title')}>
      <Loading />
    </PageFrame>
  )
}
