import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'

/** A password field whose eye button has a name. */
export function Password(props: PasswordInputProps) {
  const t = useWords('ui')
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': t(visible ? 'hide' : 'show') }}
      {...props}
    />
  )
}
