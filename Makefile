# Each target is ./dev COMMAND; without make, call that.
COMMANDS = help demo test lint format types doctest proof browser spark torch bench docs wheel lowest shell clean
.PHONY: $(COMMANDS)
$(COMMANDS):
	@./dev $@
