import { ActionIcon, Popover, UnstyledButton } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import classes from './inbox-heads.module.css'

/** Of Unicode 6 to 12, which every phone in use draws; screen readers say their names in the language of the reader. */
const EMOJI = [
  '🎁 🎉 🎂 🎈 ✨ ⭐ 🌸 🌷 🌻 🍁 🎄 🎍',
  '☀️ 🌙 ☔ ❄️ 🔥 💡 💌 📣 📢 🔔 ⏰ 📅',
  '🛒 🛍️ 📦 🚚 💰 🎟️ 👗 👟 💄 💎 🏠 🐱',
  '☕ 🍰 🍓 🍵 😊 😍 🙏 👏 ❤️ 💚 ✅ 👉',
].flatMap((row) => row.split(' '))

/** A few emoji for a subject; all others can be typed. */
export function EmojiMenu({ insert }: { insert: (emoji: string) => void }) {
  const t = useWords('emails')
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('inbox.emoji')}
          title={t('inbox.emoji')}
          onClick={() => setOpened(!opened)}
        >
          <IconMoodSmile size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={t('inbox.emoji')}>
        <div className={classes.emoji}>
          {EMOJI.map((emoji) => (
            <UnstyledButton
              key={emoji}
              className={classes.oneEmoji}
              onClick={() => {
                setOpened(false)
                insert(emoji)
              }}
            >
              {emoji}
            </UnstyledButton>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
