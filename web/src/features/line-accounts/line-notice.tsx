import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Above what people make for LINE, while there is no account that could show or send it. */
export function LineNotice() {
  const t = useWords('lineAccounts')
  const { setting } = useMerchant()
  if (setting.line.connected) return null
  return (
    <Notice
      title={t('notice.title')}
      action={
        <ButtonLink to={paths.settings()} search={{ tab: 'line' }} variant="default">
          {t('notice.connect')}
        </ButtonLink>
      }
    >
      {t('notice.text')}
    </Notice>
  )
}
