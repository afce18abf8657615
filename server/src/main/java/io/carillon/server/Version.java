package io.carillon.server;

/** The version of this build. */
public final class Version {
    private Version() {}

    /** The version in the jar's manifest; {@code development} outside of a jar. */
    public static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** What the User-Agent and Server headers say. */
    public static String product() {
        return "Carillon/" + current();
    }
}
