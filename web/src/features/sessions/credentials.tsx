import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useWords } from '../../app/i18n.ts'

/** A password field whose eye button has a name. */
export function Password(props: PasswordInputProps) {
  const t = useWords('ui')
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('show') }} {...props} />
}
