package io.carillon.server.measure;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A metric with its values.
 *
 * @param name with dots
 * @param unit of its values; empty where it is a number
 * @param about a sentence; may be empty
 * @param labels of it
 * @param values by what they are: value, count, total, max
 */
public record Metric(
        String name,
        String unit,
        String about,
        Map<String, String> labels,
        Map<String, Double> values) {
    /** Values are numbers: what JSON has no word for is left out. */
    public static List<Metric> of(MeterRegistry registry) {
        List<Metric> all = new ArrayList<>();
        for (Meter meter : registry.getMeters()) {
            Map<String, Double> values = new TreeMap<>();
            for (Measurement one : meter.measure()) {
                if (Double.isFinite(one.getValue())) {
                    values.put(one.getStatistic().getTagValueRepresentation(), one.getValue());
                }
            }
            Map<String, String> labels = new TreeMap<>();
            for (Tag tag : meter.getId().getTags()) {
                labels.put(tag.getKey(), tag.getValue());
            }
            String unit = meter.getId().getBaseUnit();
            String about = meter.getId().getDescription();
            all.add(
                    new Metric(
                            meter.getId().getName(),
                            unit == null ? "" : unit,
                            about == null ? "" : about,
                            labels,
                            values));
        }
        all.sort(Comparator.comparing(Metric::name).thenComparing(one -> one.labels().toString()));
        return all;
    }
}
