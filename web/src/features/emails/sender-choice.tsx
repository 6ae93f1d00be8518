import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { UnconfirmedAddresses } from '../../app/unconfirmed-addresses.tsx'

interface SenderValues {
  from_name: string
  from_email: string
}

/** Empty fields mean the default sender; a saved one is known by its address. */
export function SenderChoice({
  form,
}: {
  form: {
    field: (path: keyof SenderValues) => object
    set: (path: keyof SenderValues, value: string) => void
    values: SenderValues
  }
}) {
  const t = useWords('emails')
  const { setting, senders } = useMerchant()
  const { from_name, from_email } = form.values
  const address = from_email.trim().toLowerCase()
  const saved = senders.find(({ email }) => email.toLowerCase() === address)
  const isDefault = address === '' && from_name.trim() === ''
  const isSaved = saved !== undefined && (from_name.trim() === '' || from_name.trim() === saved.name)
  const [wantsOther, setWantsOther] = useState(false)
  const isOther = wantsOther || !(isDefault || isSaved)
  const choose = (value: string | null): void => {
    setWantsOther(value === OTHER)
    if (value === OTHER) return
    const chosen = senders.find(({ id }) => id === value)
    form.set('from_name', chosen?.name ?? '')
    form.set('from_email', chosen?.email ?? '')
  }
  return (
    <>
      <Select
        label={t('sender.choice')}
        allowDeselect={false}
        data={[
          {
            value: DEFAULT,
            label: t('sender.fromSettings', { sender: mailbox(setting.sender_name, setting.sender_email) }),
          },
          ...senders.map(({ id, name, email }) => ({ value: id, label: mailbox(name, email) })),
          { value: OTHER, label: t('sender.other') },
        ]}
        value={isOther ? OTHER : (saved?.id ?? DEFAULT)}
        onChange={choose}
      />
      {isOther && (
        <>
          <TextInput label={t('sender.name')} placeholder={setting.sender_name} {...form.field('from_name')} />
          <TextInput
            label={t('sender.email')}
            type="email"
            placeholder={setting.sender_email}
            {...form.field('from_email')}
          />
        </>
      )}
      <UnconfirmedAddresses purpose="sender" emails={[from_email.trim() || setting.sender_email]} />
    </>
  )
}

const DEFAULT = 'default'
const OTHER = 'other'
const mailbox = (name: string, email: string): string => (email ? `${name} <${email}>` : name)
