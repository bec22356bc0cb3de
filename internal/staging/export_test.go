package staging

// OnStep has f called between the steps of writing back and of recovering.
func OnStep(f func(name string)) { step = f }
