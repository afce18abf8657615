package io.carillon.server.cluster;

import org.jspecify.annotations.Nullable;

/**
 * To which node a call or a message goes, and why, as a member of the cluster knows it: what {@code
 * ./carillon router explain} tells.
 *
 * @param partition its number
 * @param by what has said so, in words
 * @param version of the table of owners
 * @param term of the partition: how often it has changed its owner
 * @param owner who gets its messages; null: nobody, they wait for 4 s
 * @param next who takes over when the owner is gone; null: nobody
 * @param previous who gives its calls to the owner now; null: nobody
 * @param movingTo to whom the owner is about to give it; null: to nobody
 */
public record CallPlace(
        int partition,
        String by,
        long version,
        long term,
        @Nullable Place owner,
        @Nullable Place next,
        @Nullable Place previous,
        @Nullable Place movingTo) {
    /**
     * A node.
     *
     * @param number its number
     * @param address where it listens for the others
     * @param standing in the table
     * @param health what it says to routers; empty when it is not heard
     * @param build its version; empty when it is not known
     */
    public record Place(int number, String address, String standing, String health, String build) {
        private String words() {
            String says = health.isEmpty() ? "not heard" : health;
            return number
                    + " at "
                    + address
                    + ", "
                    + says
                    + (build.isEmpty() ? "" : ", build " + build);
        }
    }

    /** Lines for a terminal. */
    public String terminal() {
        StringBuilder text = new StringBuilder();
        line(text, "partition", partition + ", by " + by);
        Place has = owner;
        line(
                text,
                "node",
                has == null
                        ? "none: its messages wait, 4 s at most, for one that becomes its owner"
                        : has.words() + "; owns it in term " + term + " (table " + version + ")");
        Place gives = previous;
        if (gives != null) {
            line(text, "from", gives.words() + "; gives it the calls that it has");
        }
        Place gets = movingTo;
        if (gets != null) {
            line(text, "moves to", gets.words() + ", once nothing is under way in it");
        }
        Place takes = next;
        line(
                text,
                "next",
                takes == null
                        ? "none: its calls would be lost with the node"
                        : takes.words() + "; takes over when the node is gone");
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-12s %s%n", name, value));
    }
}
