package io.carillon.server;

/** The version of this build. */
public final class Version {
    private Version() {}

    /** Another version, for trials of two builds that are one. */
    private static final String TRIAL = "carillon.trial.version";

    /** The version in the jar's manifest; {@code development} outside of a jar. */
    public static String current() {
        String trial = System.getProperty(TRIAL);
        if (trial != null) {
            return trial;
        }
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** What the User-Agent and Server headers say. */
    public static String product() {
        return "Carillon/" + current();
    }
}
