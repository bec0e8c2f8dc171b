"""Moving in from OpenClaw and ZeroClaw: discover, read, plan, apply, prove, and the way back."""
