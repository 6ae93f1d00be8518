import { Skeleton } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'
import classes from './figure.module.css'

// The chart library is as large as the rest of a page.
const FigureChart = lazy(() => import('./figure-chart.tsx'))

interface FigureProps {
  label: string
  /** Already formatted; undefined shows a skeleton of the same size. */
  value: string | undefined
  /** The number and the one of the period before: shown as a change in percent. Leave out where there is nothing to compare. */
  change?: {
    now: number
    /** Null where the period before has nothing to compare with. */
    before: number | null
    /** For rates: the difference in points, not in percent. */
    points?: boolean
    /** What it is compared with, where that is not the period before. */
    against?: string
    /** More is worse (bounces). */
    lowerIsBetter?: boolean
  }
  /** The number over time, as a small curve; drawn where there is something to see. */
  curve?: readonly number[] | undefined
  /** How the number is counted. */
  hint?: ReactNode
}

/** One number of a report. */
export function Figure({ label, value, change, curve, hint }: FigureProps) {
  const isCurve = curve !== undefined && curve.length > 1 && curve.some((point) => point !== curve[0])
  return (
    <div className={classes.figure} role="group" aria-label={label}>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value ?? <Skeleton height={28} width="70%" />}</div>
      {/* The line that says how it changed has its place before it is known. */}
      {value === undefined && <div className={classes.change}>{'\u00a0'}</div>}
      {change && value !== undefined && <Change {...change} />}
      {hint && <div className={classes.hint}>{hint}</div>}
      {/* Its numbers can be read in the table of the chart below. */}
      {isCurve && (
        <div className={classes.curve} aria-hidden>
          <Suspense fallback={null}>
            <FigureChart points={curve} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

function Change({ now, before, points, against, lowerIsBetter }: NonNullable<FigureProps['change']>) {
  const t = useWords('ui')
  const format = useFormat()
  if (before === null) return <div className={classes.hint}>{t('report.noComparison')}</div>
  // No percentage leads from nothing to something.
  if (before === 0 && !points)
    return <div className={classes.hint}>{t('report.previousNumber', { n: format.number(before) })}</div>
  const difference = points ? now - before : ((now - before) / before) * 100
  const rounded = Math.round(difference * 10) / 10
  const Icon = rounded > 0 ? IconArrowUpRight : rounded < 0 ? IconArrowDownRight : IconMinus
  const good = rounded === 0 ? undefined : rounded > 0 !== (lowerIsBetter ?? false)
  return (
    <div className={classes.change} data-good={good}>
      <Icon size={16} aria-hidden />
      {rounded > 0 ? '+' : ''}
      {points ? `${format.percent(rounded).replace('%', '')} pt` : format.percent(rounded)}
      <span className={classes.hint}>{against ?? t('report.previous')}</span>
    </div>
  )
}

/** Figures side by side, as many as fit. */
export const Figures = ({ children }: { children: ReactNode }) => <div className={classes.figures}>{children}</div>
