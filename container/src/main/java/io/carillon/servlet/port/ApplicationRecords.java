package io.carillon.servlet.port;

import java.util.Map;

/** Takes call detail records of applications' own. Any thread; it does not wait. */
@FunctionalInterface
public interface ApplicationRecords {
    /** The attribute of the servlet context under which an application finds it. */
    String ATTRIBUTE = "io.carillon.cdr.records";

    /**
     * A record of an application.
     *
     * @param version of the application
     * @param fields by name: texts, numbers and booleans
     */
    void write(String application, int version, Map<String, ?> fields);
}
