package io.carillon.server.config;

/**
 * What becomes of a request that the router gives to no application.
 *
 * @param status of the answer; 0: the request is sent on to where it leads
 */
public record NoApplication(int status) {
    private static final String ROUTE_ON = "route-on";
    static final String FORM = "a status from 400 to 699, or " + ROUTE_ON;

    static NoApplication parse(String text) {
        if (text.equals(ROUTE_ON)) {
            return new NoApplication(0);
        }
        int status = Integer.parseInt(text);
        if (status < 400 || status > 699) {
            throw new IllegalArgumentException(FORM);
        }
        return new NoApplication(status);
    }

    /** As it is written in a file. */
    @Override
    public String toString() {
        return status == 0 ? ROUTE_ON : Integer.toString(status);
    }
}
