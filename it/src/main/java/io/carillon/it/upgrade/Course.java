package io.carillon.it.upgrade;

import java.util.ArrayList;
import java.util.List;

/** What was seen while nodes were replaced. Owner: one thread. */
final class Course {
    /** Of a node that leaves and comes back as another build. */
    record Step(
            int node,
            String build,
            double leftSeconds,
            long takenOver,
            long notTakenOver,
            double wholeSeconds,
            int owns) {}

    private final List<Step> steps = new ArrayList<>();

    void add(Step step) {
        steps.add(step);
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }
}
