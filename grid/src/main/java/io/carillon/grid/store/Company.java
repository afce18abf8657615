package io.carillon.grid.store;

import java.util.Set;

/** Who is there when a node joins the grid, as the voters see it. Any thread. */
public interface Company {
    /** Of a node that is alone for certain. */
    Company NOBODY =
            new Company() {
                @Override
                public Set<Integer> others() {
                    return Set.of();
                }

                @Override
                public boolean majority() {
                    return true;
                }
            };

    /** Numbers of the other members that are seen now and keep copies. */
    Set<Integer> others();

    /**
     * Is a majority of the voters seen, with another that keeps copies where there are any? Until
     * then others may be there that are not seen yet.
     */
    boolean majority();
}
