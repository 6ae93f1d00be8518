import { Sparkline } from '@mantine/charts'

/** A default export, for `lazy`. */
export default function FigureChart({ points }: { points: readonly number[] }) {
  return (
    <Sparkline
      w="100%"
      h="100%"
      data={[...points]}
      curveType="linear"
      color="var(--mantine-color-anchor)"
      fillOpacity={0.15}
      strokeWidth={1.5}
      areaProps={{ isAnimationActive: false }}
    />
  )
}
