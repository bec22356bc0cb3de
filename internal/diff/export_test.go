package diff

// TakeIndexForLarge has the program treat an index of any size as a large one.
func (p *Program) TakeIndexForLarge() { p.enough = 0 }
