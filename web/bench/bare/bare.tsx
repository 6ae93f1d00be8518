import '@xyflow/react/dist/style.css'
import { type Edge, type Node, ReactFlow, useEdgesState, useNodesState } from '@xyflow/react'
import { createRoot } from 'react-dom/client'

// The baseline of the flow editor's figures (server/bench/flow-editor.ts): React Flow as its first example uses it, with as many plain
// boxes in the same places and a window of the same size. The measurement says which: `#flow=…&width=…&height=…`.

interface Given {
  nodes: { id: string; x: number; y: number }[]
  edges: { from: string; to: string }[]
}
const asked = new URLSearchParams(location.hash.slice(1))
const given = JSON.parse(asked.get('flow') ?? '{"nodes":[],"edges":[]}') as Given
const initialNodes: Node[] = given.nodes.map(({ id, x, y }) => ({ id, position: { x, y }, data: { label: id } }))
const initialEdges: Edge[] = given.edges.map(({ from, to }) => ({ id: `${from}-${to}`, source: from, target: to }))

function Bare() {
  const [nodes, , onNodesChange] = useNodesState(initialNodes)
  const [edges, , onEdgesChange] = useEdgesState(initialEdges)
  return (
    <div style={{ width: Number(asked.get('width')), height: Number(asked.get('height')) }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        minZoom={0.1}
        panOnScroll
        fitView
      />
    </div>
  )
}

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no #root')
createRoot(place).render(<Bare />)
