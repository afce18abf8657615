package io.carillon.testkit;

import java.util.List;

/**
 * One call of a {@link SimulationRun}: its caller and every callee that it reached.
 *
 * @param number of the call in its run
 * @param callees none when it reached nobody; several when it forked, or was offered again
 */
public record SimulatedCall(int number, Call caller, List<Call> callees) {
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("call ").append(number).append("\n  ").append(caller);
        for (Call callee : callees) {
            text.append("\n  ").append(callee);
        }
        return text.toString();
    }
}
