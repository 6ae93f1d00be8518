import { Stack } from '@mantine/core'
import type { Design, Look } from '@okaeri/contract/emails/design'
import { languageChoices, useWords } from '../../../app/i18n.ts'
import { AmountField, ChoiceField, ColourField, SelectField } from './fields.tsx'

/** What holds for the whole mail. */
export function LookForm({ design, onChange }: { design: Design; onChange: (change: Partial<Design>) => void }) {
  const t = useWords('design')
  const { look } = design
  const set = (change: Partial<Look>) => onChange({ look: { ...look, ...change } })
  return (
    <Stack gap="md">
      <ColourField
        label={t('field.accent')}
        help={t('field.accentHelp')}
        value={look.accent}
        onChange={(accent) => set({ accent })}
      />
      <ColourField label={t('field.surface')} value={look.surface} onChange={(surface) => set({ surface })} />
      <ColourField label={t('field.ground')} value={look.background} onChange={(background) => set({ background })} />
      <ColourField label={t('field.color')} value={look.text} onChange={(text) => set({ text })} />
      <ChoiceField
        label={t('field.font')}
        choices={(['sans', 'serif'] as const).map((value) => ({ value, label: t(`fonts.${value}`) }))}
        value={look.font}
        onChange={(font) => set({ font })}
      />
      <AmountField
        label={t('field.radius')}
        value={look.radius}
        min={0}
        max={24}
        step={2}
        said={(n) => t('pixels', { n })}
        onChange={(radius) => set({ radius })}
      />
      <SelectField
        label={t('field.language')}
        choices={languageChoices}
        value={design.language}
        onChange={(language) => onChange({ language })}
      />
    </Stack>
  )
}
