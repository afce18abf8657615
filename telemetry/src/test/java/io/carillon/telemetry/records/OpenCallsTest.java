package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kill leaves of calls: each leg has its record in a file, or stands in the list. */
class OpenCallsTest {
    @TempDir Path folder;

    private static CallRecord leg(String id) {
        return RecordText.read("{\"record\":\"final\",\"id\":\"" + id + "\",\"node\":\"n\"}");
    }

    private List<String> left() throws IOException {
        return new OpenCalls(folder).left().stream().map(CallRecord::id).toList();
    }

    @Test
    void aLegLeavesTheListWhenAFileHasItsRecord() throws IOException {
        OpenCalls calls = new OpenCalls(folder);
        calls.write(List.of(leg("a"), leg("b")));
        calls.ended(leg("a"));
        calls.flush();
        assertThat(left()).as("its record waits for the disk").containsExactly("a", "b");
        calls.kept();
        calls.flush();
        assertThat(left()).containsExactly("b");
    }

    /** Which began and ended between two lists, too. */
    @Test
    void aLegWhoseRecordWaitsStandsInTheNextList() throws IOException {
        OpenCalls calls = new OpenCalls(folder);
        calls.write(List.of(leg("a")));
        calls.ended(leg("a"));
        calls.ended(leg("short"));
        calls.write(List.of(leg("c")));
        calls.close();
        assertThat(left()).containsExactlyInAnyOrder("a", "short", "c");
    }
}
