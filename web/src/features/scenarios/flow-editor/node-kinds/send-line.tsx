import { useWords } from '../../../../app/i18n.ts'
import { Notice } from '../../../../ui/notice.tsx'

export function SendLineForm() {
  const t = useWords('flow')
  return <Notice>{t('line.text')}</Notice>
}
