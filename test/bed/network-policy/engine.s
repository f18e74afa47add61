// Empty: its being here lets the compiler take functions without a body (engine.go).
