import { useLanguage, useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { reasonTexts } from '../../../app/reasons.ts'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'

interface EditorNoticesProps {
  /** Steps have errors: they were saved with the rest, or kept it from being saved. */
  refused: 'saved' | 'kept' | null
  /** Why nothing can be changed. */
  reason: string | false
  needsPlan: boolean
  /** Changes take effect for customers once they are saved. */
  active: boolean
}

export function EditorNotices(props: EditorNoticesProps) {
  const t = useWords('flow')
  const language = useLanguage()
  return (
    <>
      {props.refused && (
        <Notice tone="danger" title={t('errorsTitle')}>
          {t(props.refused === 'kept' ? 'notSaved' : 'savedWithErrors')}
        </Notice>
      )}
      {props.needsPlan ? (
        <Notice tone="warning" action={<TextLink to={paths.support()}>{t('upgrade')}</TextLink>}>
          {reasonTexts.plan_forbids_flow_editor[language]} {props.active && t('goesOn')}
        </Notice>
      ) : (
        props.reason && <Notice>{props.reason}</Notice>
      )}
      {props.active && !props.needsPlan && <Notice>{t('activeNote')}</Notice>}
    </>
  )
}
