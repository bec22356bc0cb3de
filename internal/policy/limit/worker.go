package limit

// worker runs queries one after the other. Evaluating needs a deep stack, and growing that
// of a new goroutine for each query would cost more than most queries do.
type worker struct{ queries chan func() }

// idle holds the workers that wait for a query.
var idle = make(chan *worker, 16)

// start runs a query in the background.
func start(query func()) {
	select {
	case w := <-idle:
		w.queries <- query
	default:
		w := &worker{make(chan func(), 1)}
		w.queries <- query
		go w.run()
	}
}

func (w *worker) run() {
	for query := range w.queries {
		query()
		select {
		case idle <- w:
		default:
			return
		}
	}
}
