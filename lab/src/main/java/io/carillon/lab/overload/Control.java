package io.carillon.lab.overload;

/** The two servers that are compared: they differ in one setting. */
enum Control {
    /** As it is shipped. */
    SHEDDING("shedding", ""),

    /** The caps alone. */
    OFF("caps alone", "overload:\n  shed: false\n");

    private final String text;
    private final String yaml;

    Control(String text, String yaml) {
        this.text = text;
        this.yaml = yaml;
    }

    /** What says so in the configuration. */
    String yaml() {
        return yaml;
    }

    /** One word for a folder. */
    String folder() {
        return this == SHEDDING ? "shedding" : "caps";
    }

    @Override
    public String toString() {
        return text;
    }
}
