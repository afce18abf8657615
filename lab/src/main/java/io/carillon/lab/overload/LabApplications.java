package io.carillon.lab.overload;

import io.carillon.lab.rig.PackedClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Applications of the lab's own, packed as a user would. Stateless. */
final class LabApplications {
    private LabApplications() {}

    /** Computes for each INVITE and proxies it on. */
    static Path compute(Path folder, Duration each) throws IOException {
        return PackedClasses.named(
                folder.resolve("lab-compute.war"),
                descriptor(
                        "lab-compute",
                        "io.carillon.lab.overload.ComputeServlet",
                        "millis",
                        each.toMillis()),
                List.of("io.carillon.lab.overload.ComputeServlet"));
    }

    /** Answers calls after it has held one of 50 connections for 200 ms. */
    static Path slow(Path folder) throws IOException {
        return PackedClasses.named(
                folder.resolve("lab-slow.war"),
                descriptor("lab-slow", "io.carillon.lab.overload.SlowServlet", "millis", 200),
                List.of("io.carillon.lab.overload.SlowServlet"));
    }

    private static String descriptor(String name, String type, String parameter, long value) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet" version="1.1">
          <app-name>%1$s</app-name>
          <servlet-selection><main-servlet>%1$s</main-servlet></servlet-selection>
          <servlet>
            <servlet-name>%1$s</servlet-name>
            <servlet-class>%2$s</servlet-class>
            <init-param><param-name>%3$s</param-name><param-value>%4$d</param-value></init-param>
          </servlet>
        </sip-app>
        """
                .formatted(name, type, parameter, value);
    }
}
