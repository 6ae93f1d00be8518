import { useWords } from '../../app/i18n.ts'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Loading } from '../../ui/states.tsx'

export function DashboardPage() {
  const t = useWords('dashboard')
  return (
    <PageFrame title={t('title')}>
      <Loading />
    </PageFrame>
  )
}
