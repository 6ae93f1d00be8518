// oxlint-disable-next-line no-restricted-imports -- the only place for it
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../app/i18n.ts'

/** A password or another secret. Mantine's own field has an eye button in English only, and is not marked as invalid for screen readers. */
export function SecretField(props: PasswordInputProps) {
  const t = useWords('ui')
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': t(visible ? 'hide' : 'show') }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
