import { Radio, SegmentedControl, Text } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import { type StarterKey, starterKeys, starters } from '@okaeri/contract/emails/starters'
import type { Locale } from '@okaeri/contract/locale'
import { useMemo, useState } from 'react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { MailThumbnail } from './preview/mail-preview.tsx'
import classes from './starter-gallery.module.css'
import { usePreview } from './preview/use-preview.ts'

interface StarterGalleryProps {
  language: Locale
  value: StarterKey
  onChange: (starter: StarterKey) => void
}

const uses = ['all', 'campaign', 'scenario'] as const

/** The templates, each as its mail will look. */
export function StarterGallery({ language, value, onChange }: StarterGalleryProps) {
  const t = useWords('emails')
  const [use, setUse] = useState<(typeof uses)[number]>('all')
  return (
    <div>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label={t('gallery.filter')}
        value={use}
        onChange={(chosen) => setUse(chosen as (typeof uses)[number])}
        data={uses.map((one) => ({ value: one, label: t(`gallery.${one}`) }))}
      />
      <Radio.Group
        label={t('form.starter')}
        value={value}
        onChange={(chosen) => onChange(chosen as StarterKey)}
        classNames={{ label: 'for-screen-readers' }}
      >
        <div className={classes.gallery}>
          {starterKeys
            .filter((key) => use === 'all' || starters[key].use === use)
            .map((key) => (
              <StarterCard key={key} starter={key} language={language} />
            ))}
        </div>
      </Radio.Group>
    </div>
  )
}

function StarterCard({ starter, language }: { starter: StarterKey; language: Locale }) {
  const shown = useLanguage()
  const { ref, inViewport } = useInViewport<HTMLButtonElement>()
  const [wasSeen, setWasSeen] = useState(false)
  if (inViewport && !wasSeen) setWasSeen(true)
  const { subject, name } = starters[starter]
  const design = useMemo(
    () => starterDesign({ starter, language, storeUrl: 'https://example.com/' }),
    [starter, language],
  )
  const preview = usePreview(
    wasSeen
      ? {
          subject: subject[language],
          preheader: '',
          content: '',
          design,
          from_email: null,
          from_name: null,
          customer_id: null,
        }
      : null,
  )
  return (
    <Radio.Card ref={ref} value={starter} className={classes.card}>
      {/* Previews that were not scrolled to are not loaded. */}
      {wasSeen ? <MailThumbnail mail={preview.data} /> : <div className={classes.unseen} />}
      <Text component="span" size="sm" fw={600} className={classes.name}>
        {name[shown]}
      </Text>
    </Radio.Card>
  )
}
