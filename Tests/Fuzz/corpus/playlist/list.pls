[playlist]
File1=https://radio.example/a.mp3
Title1=A
Length1=-1
File2=b.flac
NumberOfEntries=2
Version=2
