package io.carillon.it.order;

/**
 * A call whose messages are numbered.
 *
 * @param index its place among all
 * @param id its Call-ID
 * @param tag of the cluster's end: its token, or that of a server outside
 * @param partition of the cluster, by the token, or by the hash of the Call-ID
 */
record OrderedCall(int index, String id, String tag, int partition) {
    /** The Call-ID of that place, as {@link NumberedText#call} reads it. */
    static String id(int index) {
        return "order-" + index + "@192.0.2.50";
    }

    /** The tag of the phone's end. */
    String phoneTag() {
        return "phone" + index;
    }
}
