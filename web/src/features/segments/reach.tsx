import { Progress, Stack, Text } from '@mantine/core'
import type { TargetCounts } from '@okaeri/contract/segments/segment'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import classes from './reach.module.css'

const facts = ['with_address', 'with_consent'] as const
const reasons = ['no_consent', 'paused', 'no_address', 'suppressed', 'duplicate_address'] as const

/** How many of the chosen customers could be mailed now, and how many not, by reason; adds up to the total. */
export function Reach({ counts }: { counts: TargetCounts }) {
  const t = useWords('segments')
  const format = useFormat()
  const people = (total: number) => t('count.people', { count: total, total: format.number(total) })
  const left = reasons.filter((reason) => counts[reason] > 0)
  return (
    <Stack gap="xs">
      <Reachable label={t('count.reachable')} people={people(counts.reachable)} />
      <Progress
        value={counts.total === 0 ? 0 : (counts.reachable / counts.total) * 100}
        aria-label={t('count.reachable')}
      />
      <dl className={classes.reasons}>
        {facts.map((fact) => (
          <div key={fact} className={classes.line}>
            <dt>{t(`counts.${fact}`)}</dt>
            <dd className="numbers">{people(counts[fact])}</dd>
          </div>
        ))}
      </dl>
      {left.length > 0 && (
        <Text size="sm" fw={600} mt={4}>
          {t('count.leftOut')}
        </Text>
      )}
      {left.length > 0 && (
        <dl className={classes.reasons} aria-label={t('count.leftOut')}>
          {left.map((reason) => (
            <div key={reason} className={classes.line}>
              <dt>{t(`count.${reason}`)}</dt>
              <dd className="numbers">{people(counts[reason])}</dd>
            </div>
          ))}
        </dl>
      )}
      <Reachable label={t('counts.reachable_by_line')} people={people(counts.reachable_by_line)} />
    </Stack>
  )
}

const Reachable = ({ label, people }: { label: string; people: string }) => (
  <div className={classes.line}>
    <Text span size="sm" fw={600}>
      {label}
    </Text>
    <Text span fw={700} className="numbers">
      {people}
    </Text>
  </div>
)
